"""process() alone rejects."""
import json

import aio_pika

from roster import shifts


class Planner:
    async def __call__(self, message: aio_pika.abc.AbstractIncomingMessage) -> None:
        async with message.process():
            await shifts.assign(json.loads(message.body))


async def listen(queue: aio_pika.abc.AbstractQueue) -> None:
    await queue.consume(Planner())

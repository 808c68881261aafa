"""`redelivered` limits it to one more attempt."""
import json

import aio_pika

from roster import shifts


async def on_shift(message: aio_pika.abc.AbstractIncomingMessage) -> None:
    try:
        await shifts.assign(json.loads(message.body))
    except Exception:
        if message.redelivered:
            await message.reject(requeue=False)
        else:
            await message.reject(requeue=True)
        return
    await message.ack()


async def listen(queue: aio_pika.abc.AbstractQueue) -> None:
    await queue.consume(on_shift)

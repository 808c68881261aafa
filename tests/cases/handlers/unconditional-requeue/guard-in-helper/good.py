"""The helper tells the error apart."""
import json

import aio_pika

from roster import shifts


async def give_back(message: aio_pika.abc.AbstractIncomingMessage, error: Exception) -> None:
    passing = isinstance(error, (ConnectionError, TimeoutError))
    await message.nack(requeue=passing)


async def on_shift(message: aio_pika.abc.AbstractIncomingMessage) -> None:
    try:
        await shifts.assign(json.loads(message.body))
    except Exception as error:
        await give_back(message, error)
        return
    await message.ack()


async def listen(queue: aio_pika.abc.AbstractQueue) -> None:
    await queue.consume(on_shift)

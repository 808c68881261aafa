"""Put back after a failure, and met by its own claim."""
import aio_pika
import redis.asyncio as redis

marks = redis.Redis()


async def on_note(message: aio_pika.IncomingMessage):
    if not await marks.setnx(f"note:{message.message_id}", 1):  # <- CL404
        await message.ack()
        return
    try:
        with open(f"/srv/notes/{message.message_id}", "wb") as file:
            file.write(message.body)
    except OSError:
        await message.nack(requeue=True)
        return
    await message.ack()

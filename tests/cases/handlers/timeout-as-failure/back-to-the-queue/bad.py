"""Back to the queue, and from there to the second charge."""
import asyncio

import aio_pika
import aiohttp


async def on_charge(message: aio_pika.IncomingMessage):
    try:
        async with aiohttp.ClientSession() as session:
            await session.post("https://pay.example/charges", data=message.body)  # <- CL401
    except asyncio.TimeoutError:  # <- CL402
        await message.nack(requeue=not message.redelivered)
        return
    await message.ack()

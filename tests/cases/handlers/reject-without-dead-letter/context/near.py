"""Another place declares the queue: this one only asks for it."""

import asyncio
import json
import pathlib

import aio_pika


async def main():
    connection = await aio_pika.connect_robust("amqp://mq/")
    channel = await connection.channel()
    queue = await channel.get_queue("orders")
    async with queue.iterator() as deliveries:
        async for message in deliveries:
            async with message.process(requeue=False):
                order = json.loads(message.body)
                pathlib.Path("/srv/orders", order["id"]).write_bytes(message.body)


asyncio.run(main())

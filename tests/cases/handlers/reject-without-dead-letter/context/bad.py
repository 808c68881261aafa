import asyncio
import json
import pathlib

import aio_pika


async def main():
    connection = await aio_pika.connect_robust("amqp://mq/")
    channel = await connection.channel()
    queue = await channel.declare_queue("orders", durable=True)
    async with queue.iterator() as deliveries:
        async for message in deliveries:
            async with message.process(requeue=False):  # <- CL106
                order = json.loads(message.body)
                pathlib.Path("/srv/orders", order["id"]).write_bytes(message.body)


asyncio.run(main())

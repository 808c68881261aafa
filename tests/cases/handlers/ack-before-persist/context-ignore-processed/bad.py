"""aio-pika: an early ack inside process(ignore_processed=True) is still an early ack."""
import asyncio
import json

import aio_pika
import asyncpg


async def worker(dsn):
    pool = await asyncpg.create_pool(dsn)
    connection = await aio_pika.connect_robust("amqp://mq/")
    async with connection:
        channel = await connection.channel()
        queue = await channel.declare_queue("lectures", durable=True)
        async with queue.iterator() as stream:
            async for message in stream:
                async with message.process(ignore_processed=True):
                    await message.ack()  # <- CL101
                    lecture = json.loads(message.body)
                    await pool.execute(
                        "INSERT INTO lectures VALUES ($1, $2)", lecture["id"], lecture["room"]
                    )


asyncio.run(worker("postgresql://db/campus"))

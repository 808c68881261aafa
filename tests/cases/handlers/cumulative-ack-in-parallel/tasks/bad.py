import asyncio
import pathlib

from aiokafka import AIOKafkaConsumer


async def store(consumer, record):
    pathlib.Path("/srv/orders", record.key.decode()).write_bytes(record.value)
    await consumer.commit()  # <- CL110


async def main():
    consumer = AIOKafkaConsumer("orders", group_id="orders", enable_auto_commit=False)
    await consumer.start()
    async for record in consumer:
        asyncio.create_task(store(consumer, record))

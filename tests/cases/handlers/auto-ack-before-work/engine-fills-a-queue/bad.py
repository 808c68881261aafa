"""The engine commits each batch before it puts it into a queue in memory."""
import asyncio

from aiokafka import AIOKafkaConsumer
from AioKafkaEngine import ConsumerEngine


async def fill(inbox: asyncio.Queue):
    consumer = AIOKafkaConsumer("sightings", group_id="watch", enable_auto_commit=False)
    engine = ConsumerEngine(consumer=consumer, queue=inbox)
    await engine.start()
    await engine.consume()  # <- CL102

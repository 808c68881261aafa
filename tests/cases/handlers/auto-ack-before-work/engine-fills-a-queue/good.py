"""Committed when the row is stored."""
import asyncpg
from aiokafka import AIOKafkaConsumer


async def store(pool: asyncpg.Pool):
    consumer = AIOKafkaConsumer("sightings", group_id="watch", enable_auto_commit=False)
    await consumer.start()
    async for record in consumer:
        await pool.execute("INSERT INTO sightings (raw) VALUES ($1)", record.value)
        await consumer.commit()

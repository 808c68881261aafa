import json

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

engine = create_async_engine("postgresql+asyncpg://db/loans")
PUT = text("UPDATE loans SET state = 'granted' WHERE id = :id AND state = 'asked' RETURNING id")


async def run(consumer: AIOKafkaConsumer, producer: AIOKafkaProducer):
    async for record in consumer:
        loan = json.loads(record.value)
        async with engine.begin() as db:
            granted = (await db.execute(PUT, {"id": loan["id"]})).first()
        if granted:
            await producer.send_and_wait("granted", record.value)  # <- CL501
        await consumer.commit()

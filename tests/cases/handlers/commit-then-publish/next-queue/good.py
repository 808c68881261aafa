import json

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

engine = create_async_engine("postgresql+asyncpg://db/loans")
PUT = text("UPDATE loans SET state = 'granted' WHERE id = :id AND state = 'asked' RETURNING id")
NOTE = text("INSERT INTO outbox (topic, body) VALUES ('granted', :body)")


async def run(consumer: AIOKafkaConsumer, producer: AIOKafkaProducer):
    async for record in consumer:
        loan = json.loads(record.value)
        async with engine.begin() as db:
            granted = (await db.execute(PUT, {"id": loan["id"]})).first()
            if granted:
                await db.execute(NOTE, {"body": record.value})
        await consumer.commit()

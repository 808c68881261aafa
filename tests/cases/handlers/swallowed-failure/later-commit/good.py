"""The failed record is produced to a dead-letter topic before the commit may cover it."""
import json
import logging

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from elasticsearch import AsyncElasticsearch

index = AsyncElasticsearch("http://search:9200")


async def run():
    consumer = AIOKafkaConsumer("articles", group_id="search", enable_auto_commit=False)
    refused = AIOKafkaProducer()
    await refused.start()
    await consumer.start()
    async for record in consumer:
        try:
            article = json.loads(record.value)
            await index.index(index="articles", id=article["id"], document=article)
        except Exception:
            logging.exception("article set aside")
            await refused.send_and_wait("articles.dead", record.value)
        await consumer.commit()

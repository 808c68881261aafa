"""`continue` skips the commit of this record, but the next record's commit covers it."""
import json
import logging

from aiokafka import AIOKafkaConsumer
from elasticsearch import AsyncElasticsearch

index = AsyncElasticsearch("http://search:9200")


async def run():
    consumer = AIOKafkaConsumer("articles", group_id="search", enable_auto_commit=False)
    await consumer.start()
    async for record in consumer:
        try:
            article = json.loads(record.value)
            await index.index(index="articles", id=article["id"], document=article)
        except Exception:  # <- CL104
            logging.exception("article skipped")
            continue
        await consumer.commit()

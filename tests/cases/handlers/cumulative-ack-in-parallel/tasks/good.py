import pathlib

from aiokafka import AIOKafkaConsumer


async def store(record):
    pathlib.Path("/srv/orders", record.key.decode()).write_bytes(record.value)


async def main():
    consumer = AIOKafkaConsumer("orders", group_id="orders", enable_auto_commit=False)
    await consumer.start()
    async for record in consumer:
        await store(record)
        await consumer.commit()

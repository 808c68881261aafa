import asyncio

from aiokafka import AIOKafkaConsumer


async def consume(app):  # <- handler
    async for record in app.state.consumer:
        print(record.value)


async def consume_item(app):  # <- handler
    async for record in app["orders"]:
        print(record.value)


async def consume_context(context):  # <- handler
    async for record in context.bills:
        print(record.value)


async def start(app, context):
    app.state.consumer = AIOKafkaConsumer("shop", group_id="shop")
    app["orders"] = AIOKafkaConsumer("orders", group_id="shop")
    consumer = AIOKafkaConsumer("bills", group_id="shop")
    await consumer.start()
    context.bills = consumer
    app.state.task = asyncio.create_task(consume(app))

"""Of two things that are kept under one name nobody knows which it is."""

from aiokafka import AIOKafkaConsumer

from shop import Ring


async def turn(app):
    async for item in app.state.things:
        print(item)


def start(app):
    app.state.things = AIOKafkaConsumer("shop", group_id="shop")


def start_ring(app):
    app.state.things = Ring()

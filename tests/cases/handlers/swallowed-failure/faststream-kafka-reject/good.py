"""RabbitMQ has: the message goes to the dead letters of its queue."""
from faststream import AckPolicy
from faststream.rabbit import RabbitBroker

from atlas import draw

broker = RabbitBroker("amqp://mq/")


@broker.subscriber("tiles", ack_policy=AckPolicy.REJECT_ON_ERROR)
async def on_tile(tile: dict) -> None:
    await draw(tile)

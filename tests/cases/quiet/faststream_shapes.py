"""FastStream: default policies, a message argument, manual acknowledgement at the end."""
from faststream import AckPolicy
from faststream.rabbit import RabbitBroker, RabbitMessage

from atlas import draw

broker = RabbitBroker("amqp://mq/")


@broker.subscriber("tiles")
async def by_default(tile: dict) -> None:
    await draw(tile)


@broker.subscriber("tiles", ack_policy=AckPolicy.MANUAL)
async def by_hand(tile: dict, message: RabbitMessage) -> None:
    try:
        await draw(tile)
    except Exception:
        await message.reject(requeue=False)
    else:
        await message.ack()

"""The policy of the subscriber puts every failure back."""
from faststream import AckPolicy
from faststream.rabbit import RabbitBroker

from depot import put_away

broker = RabbitBroker("amqp://mq/")


@broker.subscriber("pallets", ack_policy=AckPolicy.NACK_ON_ERROR)  # <- CL301
async def on_pallet(pallet: dict) -> None:
    await put_away(pallet)

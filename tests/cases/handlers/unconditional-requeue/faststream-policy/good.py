"""The default policy rejects."""
from faststream.rabbit import RabbitBroker

from depot import put_away

broker = RabbitBroker("amqp://mq/")


@broker.subscriber("pallets")
async def on_pallet(pallet: dict) -> None:
    await put_away(pallet)

"""Kafka has no reject: FastStream commits past the message that failed."""
from faststream import AckPolicy
from faststream.kafka import KafkaBroker

from atlas import draw

broker = KafkaBroker("k:9092")


@broker.subscriber("tiles", group_id="a", ack_policy=AckPolicy.REJECT_ON_ERROR)  # <- CL104
async def on_tile(tile: dict) -> None:
    await draw(tile)

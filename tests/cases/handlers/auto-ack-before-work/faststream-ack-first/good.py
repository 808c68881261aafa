"""REJECT_ON_ERROR acknowledges when the function has returned."""
import pathlib

from faststream.nats import NatsBroker
from faststream.middlewares import AckPolicy

broker = NatsBroker("nats://nats:4222")


@broker.subscriber("plots", stream="plots", ack_policy=AckPolicy.REJECT_ON_ERROR)
async def plot(message: dict) -> None:
    pathlib.Path("/srv/plots", message["id"] + ".svg").write_text(message["svg"])

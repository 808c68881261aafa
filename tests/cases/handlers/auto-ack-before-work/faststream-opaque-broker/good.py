"""The policy may stand in what the broker is made with: somebody chooses one."""
import pathlib

from faststream import AckPolicy
from faststream.kafka.fastapi import KafkaRouter
from settings import connection

router = KafkaRouter(**{"ack_policy": AckPolicy.MANUAL}, **connection())


@router.subscriber("plots", group_id="plotters")
async def plot(message: dict) -> None:
    pathlib.Path("/srv/plots", message["id"] + ".svg").write_text(message["svg"])


other = KafkaRouter(**connection())


@other.subscriber("films", group_id="plotters")
async def film(message: dict) -> None:
    pathlib.Path("/srv/films", message["id"] + ".mp4").write_text(message["film"])

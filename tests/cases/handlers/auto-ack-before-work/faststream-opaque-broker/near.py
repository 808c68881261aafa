"""Without a group there is nothing to acknowledge; with auto_commit off it comes after the work."""
import pathlib

from faststream.kafka.fastapi import KafkaRouter
from settings import connection

router = KafkaRouter(**connection())


@router.subscriber("plots")
async def plot(message: dict) -> None:
    pathlib.Path("/srv/plots", message["id"] + ".svg").write_text(message["svg"])


@router.subscriber("films", group_id="plotters", auto_commit=False)
async def film(message: dict) -> None:
    pathlib.Path("/srv/films", message["id"] + ".mp4").write_text(message["film"])

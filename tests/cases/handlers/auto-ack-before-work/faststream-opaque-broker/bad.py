"""How the broker is reached comes from elsewhere; nobody there speaks of acknowledgements."""
import pathlib

from faststream.kafka.fastapi import KafkaRouter
from settings import connection

router = KafkaRouter(**connection())


@router.subscriber("plots", group_id="plotters")  # <- CL102
async def plot(message: dict) -> None:
    pathlib.Path("/srv/plots", message["id"] + ".svg").write_text(message["svg"])

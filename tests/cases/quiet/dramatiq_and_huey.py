"""Actors that limit their retries, and a periodic task that takes no message."""
import pathlib

import dramatiq
from dramatiq.brokers.rabbitmq import RabbitmqBroker
from dramatiq.middleware import Retries

dramatiq.set_broker(RabbitmqBroker(url="amqp://mq"))


class Gone(Exception):
    pass


@dramatiq.actor(max_retries=2, throws=Gone, queue_name="tiles")
def draw(tile_id, text):
    path = pathlib.Path("/srv/tiles") / f"{tile_id}.svg"
    if not text:
        raise Gone(tile_id)
    path.write_text(text)


@dramatiq.actor
def sweep():
    for path in pathlib.Path("/srv/tiles").glob("*.old"):
        path.unlink()


assert Retries

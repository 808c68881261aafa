"""yapw: the callback acknowledges through the library's own thread-safe helper."""
import json
import pathlib

from yapw.clients import Blocking
from yapw.methods.blocking import ack, nack

client = Blocking(url="amqp://mq/", exchange="plays")


def on_play(state, channel, method, properties, body):
    play = json.loads(body)
    if "title" not in play:
        nack(state, channel, method.delivery_tag, requeue=False)
        return
    pathlib.Path("/srv/plays", play["id"]).write_text(play["title"])
    ack(state, channel, method.delivery_tag)


client.consume(on_play, "plays")

"""Both acknowledge last."""
import json
import pathlib

import pika


def created(channel, tag, event):
    pathlib.Path("/srv/rooms", event["id"]).write_text("free")
    channel.basic_ack(tag)


def closed(channel, tag, event):
    pathlib.Path("/srv/rooms", event["id"]).unlink(missing_ok=True)
    channel.basic_ack(tag)


ROUTES = {"created": created, "closed": closed}


def on_room(channel, method, properties, body):
    event = json.loads(body)
    ROUTES[event["type"]](channel, method.delivery_tag, event)


pika.BlockingConnection().channel().basic_consume("rooms", on_room)

"""For one named error there is another way to do the work, whatever comes of it."""
import json
import logging

import pika

from depot import mounts, shelves

LOG = logging.getLogger(__name__)


def on_file(channel, method, properties, body):
    told = json.loads(body)
    try:
        mounts.refresh(told["path"])
    except mounts.NotMounted:
        if told["kind"] == "uploaded":
            shelves.lay_in(told["path"])
        else:
            LOG.warning("nothing to do for %s", told)
    channel.basic_ack(method.delivery_tag)


def on_folder(channel, method, properties, body):
    refresh(json.loads(body))
    channel.basic_ack(method.delivery_tag)


def refresh(told):
    try:
        mounts.refresh(told["path"])
    except mounts.NotMounted:
        match told["kind"]:
            case "uploaded":
                shelves.lay_in(told["path"])
            case _:
                LOG.warning("unsupported")


channel = pika.BlockingConnection().channel()
channel.basic_consume("files", on_file)
channel.basic_consume("folders", on_folder)

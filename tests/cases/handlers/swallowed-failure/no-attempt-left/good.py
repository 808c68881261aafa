"""After the last attempt the message is set aside."""
import json
import logging

import pika

from smithy import forge

LOG = logging.getLogger(__name__)
MOST_ATTEMPTS = 5


def on_nail(channel, method, properties, body):
    nail = json.loads(body)
    if nail["attempts"] >= MOST_ATTEMPTS:
        LOG.error("giving up on %s", nail["id"])
        channel.basic_publish("", "nails.dead", body)
        channel.basic_ack(method.delivery_tag)
        return
    forge.make(nail)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("nails", on_nail)

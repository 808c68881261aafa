"""A few attempts, then a log line, and the message is gone."""
import json
import logging

import pika

from smithy import forge

LOG = logging.getLogger(__name__)
MOST_ATTEMPTS = 5


def deaths(properties):
    return (properties.headers or {}).get("x-death", [{}])[0].get("count", 0)


def on_order(channel, method, properties, body):
    try:
        forge.make(json.loads(body))
    except Exception:
        if deaths(properties) < 5:
            channel.basic_reject(method.delivery_tag, requeue=False)
            return
        else:
            LOG.error("giving up")  # <- CL104
    channel.basic_ack(method.delivery_tag)


def on_nail(channel, method, properties, body):
    nail = json.loads(body)
    if nail["attempts"] >= MOST_ATTEMPTS:
        LOG.error("giving up on %s", nail["id"])  # <- CL104
        channel.basic_ack(method.delivery_tag)
        return
    forge.make(nail)
    channel.basic_ack(method.delivery_tag)


def on_horseshoe(channel, method, properties, body):
    shoe = json.loads(body)
    if not forge.try_to_make(shoe):
        if MOST_ATTEMPTS > shoe["retry_count"]:
            channel.basic_publish("", "horseshoes", json.dumps({**shoe, "retry_count": shoe["retry_count"] + 1}))
        else:
            print("no horseshoe for", shoe["id"])  # <- CL104
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)
channel.basic_consume("nails", on_nail)
channel.basic_consume("horseshoes", on_horseshoe)

"""Where the helper answers nothing, the message goes to the dead letters."""
import json
import logging

import pika

from orchard import harvest

LOG = logging.getLogger(__name__)


def read(body):
    try:
        return json.loads(body)["crate"]
    except Exception:
        LOG.exception("unreadable")
        return None


def on_crate(channel, method, properties, body):
    crate = read(body)
    if crate is None:
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    harvest.store(crate)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("crates", on_crate)

"""One error is told apart and let through; all others are logged, and the message goes with them."""
import json
import logging

import pika

from parish import registry

LOG = logging.getLogger(__name__)


def is_fatal(error):
    return isinstance(error, registry.Closed)


def on_baptism(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception as error:  # <- CL104
        LOG.exception("not entered")
        if is_fatal(error):
            raise
    finally:
        channel.basic_ack(method.delivery_tag)


def on_wedding(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception as error:  # <- CL104
        if error.args[0] == "closed":
            channel.basic_reject(method.delivery_tag, requeue=False)
            return
        LOG.warning("not entered: %s", error)
    channel.basic_ack(method.delivery_tag)


def on_burial(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception as error:  # <- CL104
        if "closed" not in str(error):
            print("not entered", error)
        else:
            raise
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("baptisms", on_baptism)
channel.basic_consume("weddings", on_wedding)
channel.basic_consume("burials", on_burial)

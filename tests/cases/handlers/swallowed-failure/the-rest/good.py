"""One error is told apart and dropped; all others leave the handler."""
import json
import logging

import pika

from parish import registry

LOG = logging.getLogger(__name__)


def on_wedding(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception as error:
        if error.args[0] != "called off":
            channel.basic_reject(method.delivery_tag, requeue=False)
            return
        LOG.info("called off")
    channel.basic_ack(method.delivery_tag)


def on_burial(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception as error:
        if "called off" in str(error):
            LOG.info("called off")
        else:
            raise
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("weddings", on_wedding)
channel.basic_consume("burials", on_burial)

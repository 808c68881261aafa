"""Acknowledged in `else`, rejected in `except`."""
import json
import logging

import pika

from parish import registry


def on_baptism(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception:
        logging.exception("not entered")
        channel.basic_nack(method.delivery_tag, requeue=False)
    else:
        channel.basic_ack(method.delivery_tag)
    finally:
        logging.info("done with %s", method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("baptisms", on_baptism)

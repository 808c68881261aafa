"""Compared."""
import json
import logging

import pika

from reef import measure


def on_buoy(channel, method, properties, body):
    attempts = (properties.headers or {}).get("x-delivery-count", 0)
    try:
        measure(json.loads(body))
    except Exception:
        logging.warning("attempt %s failed", attempts)
        channel.basic_nack(method.delivery_tag, requeue=attempts < 5)
        return
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("buoys", on_buoy)

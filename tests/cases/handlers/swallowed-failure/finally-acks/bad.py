"""`finally` acknowledges whatever happened above, and the `except` above lets nothing through."""
import json
import logging

import pika

from parish import registry


def on_baptism(channel, method, properties, body):
    try:
        registry.enter(json.loads(body))
    except Exception:  # <- CL104
        logging.exception("not entered")
    finally:
        channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("baptisms", on_baptism)

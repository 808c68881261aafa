"""auto_ack=True where nothing is done that could be lost."""
import logging

import pika

log = logging.getLogger("tap")


def on_any(channel, method, properties, body):
    log.info("%s: %d bytes", method.routing_key, len(body))


channel = pika.BlockingConnection().channel()
channel.basic_consume("tap", on_any, auto_ack=True)
channel.start_consuming()

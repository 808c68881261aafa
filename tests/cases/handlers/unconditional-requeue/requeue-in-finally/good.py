"""It goes to the dead letters."""
import json

import pika

from reef import measure


def on_buoy(channel, method, properties, body):
    done = False
    try:
        measure(json.loads(body))
        done = True
    finally:
        if done:
            channel.basic_ack(method.delivery_tag)
        else:
            channel.basic_nack(method.delivery_tag, requeue=False)


pika.BlockingConnection().channel().basic_consume("buoys", on_buoy)

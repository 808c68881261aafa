"""The acknowledgement is only named, bound or wrapped before the work; it goes off afterwards."""
import functools
import json

import pika

from bakery import bake


def on_order(channel, method, properties, body):
    settle = functools.partial(channel.basic_ack, delivery_tag=method.delivery_tag)
    refuse = lambda: channel.basic_reject(method.delivery_tag, requeue=False)  # noqa: E731
    acknowledge = channel.basic_ack
    order = json.loads(body)
    if not order["loaves"]:
        refuse()
    elif order["urgent"]:
        bake(order)
        settle()
    else:
        bake(order)
        acknowledge(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("orders", on_order)

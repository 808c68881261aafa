"""A list of a module, through a helper."""
import json

import pika
import requests

HANDLED = []


def handle(order):
    if order["id"] in HANDLED:  # <- CL405
        return
    requests.post("https://pay.example/charges", json=order, timeout=5)
    HANDLED.append(order["id"])


def on_order(channel, method, properties, body):
    handle(json.loads(body))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("orders", on_order)

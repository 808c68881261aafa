"""The set is made for one batch alone; what was charged is known by its key."""
import json

import pika
import requests


def on_orders(channel, method, properties, body):
    seen = set()
    for order in json.loads(body):
        if order["id"] in seen:
            continue
        seen.add(order["id"])
        key = {"Idempotency-Key": order["id"]}
        requests.post("https://pay.example/charges", json=order, headers=key, timeout=5)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("orders", on_orders)

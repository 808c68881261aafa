"""The ledger stands before the fork."""
import json

import pika
import requests

from shop.ledger import is_processed


def send(gift):
    requests.post("https://gifts.example/orders", json=gift, timeout=9)


def on_gift(channel, method, properties, body):
    gift = json.loads(body)
    if is_processed(gift["id"]):
        channel.basic_ack(method.delivery_tag)
        return
    if gift["express"]:
        send({**gift, "rush": True})
    else:
        send(gift)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("gifts", on_gift)

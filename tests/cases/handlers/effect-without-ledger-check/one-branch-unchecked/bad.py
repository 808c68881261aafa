"""The express way goes round the ledger."""
import json

import pika
import requests

from shop.ledger import is_processed


def send(gift):
    requests.post("https://gifts.example/orders", json=gift, timeout=9)  # <- CL401


def on_gift(channel, method, properties, body):
    gift = json.loads(body)
    if gift["express"]:
        send(gift)
    elif not is_processed(gift["id"]):
        send(gift)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("gifts", on_gift)

"""Before it."""
import json

import pika
import requests

from shop.ledger import is_processed, mark_processed


def on_gift(channel, method, properties, body):
    gift = json.loads(body)
    if not is_processed(gift["id"]):
        requests.post("https://gifts.example/orders", json=gift, timeout=9)
        mark_processed(gift["id"])
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("gifts", on_gift)

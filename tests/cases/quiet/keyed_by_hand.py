"""A ledger of the project, told by its name."""
import json

import pika
import requests

from shop.ledger import Ledger

ledger = Ledger("dbname=shop")


def on_refund(channel, method, properties, body):
    refund = json.loads(body)
    key = f"refund:{refund['id']}"
    if not ledger.is_processed(key):
        answer = requests.post("https://bank.example/refunds", json=refund, timeout=5)
        ledger.mark_processed(key, answer.json())
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("refunds", on_refund)

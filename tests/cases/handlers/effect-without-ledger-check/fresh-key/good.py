"""The keys come from the message."""
import json

import pika
import requests


def on_toll(channel, method, properties, body):
    toll = json.loads(body)
    for step in ("pay", "receipts"):
        requests.post(
            f"https://toll.example/{step}",
            json=toll,
            headers={"Idempotency-Key": f"{step}:{toll['passage']}"},
            timeout=3,
        )
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("tolls", on_toll)

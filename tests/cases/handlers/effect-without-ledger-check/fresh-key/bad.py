"""A key that is new each time is no key: two charges, and two names of one job."""
import json
import uuid

import pika
import requests


def on_toll(channel, method, properties, body):
    toll = json.loads(body)
    requests.post("https://toll.example/pay", json=toll, timeout=3)  # <- CL401
    requests.post(
        "https://toll.example/receipts",
        json=toll,
        headers={"Idempotency-Key": uuid.uuid4().hex},  # <- CL201
        timeout=3,
    )
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("tolls", on_toll)

"""Charged at each delivery."""
import json

import httpx
import pika


class Till:
    def __init__(self):
        self.http = httpx.Client(base_url="https://bank.example")
        channel = pika.BlockingConnection().channel()
        channel.basic_consume("fares", self.on_fare)
        channel.start_consuming()

    def on_fare(self, channel, method, properties, body):
        fare = json.loads(body)
        self.http.post("/debits", json={"card": fare["card"], "cents": fare["cents"]})  # <- CL401
        channel.basic_ack(method.delivery_tag)

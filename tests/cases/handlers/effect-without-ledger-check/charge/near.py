"""A GET and a PUT under a stable name may be repeated."""
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
        rate = self.http.get("/rates/" + fare["zone"]).json()["cents"]
        self.http.put(f"/trips/{fare['id']}", json={"cents": rate})
        channel.basic_ack(method.delivery_tag)

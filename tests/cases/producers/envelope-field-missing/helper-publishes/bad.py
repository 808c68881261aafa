import json

import pika


class Events:
    def __init__(self, channel: pika.channel.Channel):
        self.channel = channel

    def send(self, topic, event):
        body = json.dumps(event).encode()
        self.channel.basic_publish("events", topic, body)  # <- CL601

    def paid(self, order):
        self.send("order.paid", {"kind": "order.paid", "schema_version": 1, "order": order.number})

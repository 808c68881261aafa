import json

import pika


class Events:
    def __init__(self, channel: pika.channel.Channel):
        self.channel = channel

    def send(self, topic, event):
        body = json.dumps({**self.envelope(topic, event["order"]), **event}).encode()
        self.channel.basic_publish("events", topic, body)

    def envelope(self, topic, order):
        return {"id": f"{topic}:{order}", "kind": topic, "schema_version": 1}

    def paid(self, order):
        self.send("order.paid", {"order": order.number})

"""The other side keeps the ledger; the dict only spares it questions."""
import time

import requests
from kombu import Queue
from kombu.mixins import ConsumerMixin


class Alerts(ConsumerMixin):
    def __init__(self, connection):
        self.connection = connection
        self.sent = {}

    def get_consumers(self, Consumer, channel):
        return [Consumer([Queue("alerts")], callbacks=[self.on_alert])]

    def on_alert(self, body, message):
        if body["id"] in self.sent:
            message.ack()
            return
        key = {"Idempotency-Key": body["id"]}
        requests.post("https://pager.example/alerts", json=body, headers=key, timeout=5)
        self.sent[body["id"]] = time.time()
        message.ack()

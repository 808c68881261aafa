"""The callback lets the failure out, so nothing is acknowledged."""
import json
import logging

import pika

from billing import book

LOG = logging.getLogger(__name__)


class Inbox:
    def __init__(self, callback):
        self.callback = callback
        pika.BlockingConnection().channel().basic_consume("bills", self.on_delivery)

    def on_delivery(self, channel, method, properties, body):
        self.callback(body)
        channel.basic_ack(method.delivery_tag)


def on_bill(body):
    book(json.loads(body))


Inbox(on_bill)

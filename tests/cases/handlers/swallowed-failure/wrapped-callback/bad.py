"""The wrapper acknowledges when the callback has returned; the callback swallows."""
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
    try:
        bill = json.loads(body)
    except ValueError:  # <- CL104
        LOG.exception("unreadable")
        return
    book(bill)


Inbox(on_bill)

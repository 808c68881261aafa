"""The function in the table is where the work begins; its caller only picks it."""
import json
import logging

import pika

from billing import book, cancel

LOG = logging.getLogger(__name__)


def on_booked(bill):
    try:
        amount = int(bill["amount"])
    except Exception:  # <- CL104
        LOG.exception("no amount")
        return
    book(bill["id"], amount)


def on_cancelled(bill):
    cancel(bill["id"])


KINDS = {"booked": on_booked, "cancelled": on_cancelled}


def on_bill(channel, method, properties, body):
    bill = json.loads(body)
    KINDS[bill["kind"]](bill)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("bills", on_bill)

"""A helper catches all and answers nothing; the caller takes that for "nothing to do"."""
import json
import logging

import pika

from orchard import harvest

LOG = logging.getLogger(__name__)


def read(body):
    try:
        return json.loads(body)["crate"]
    except Exception:
        LOG.exception("unreadable")
        return None


def on_crate(channel, method, properties, body):
    crate = read(body)
    if crate is None:  # <- CL104
        channel.basic_ack(method.delivery_tag)
        return
    harvest.store(crate)
    channel.basic_ack(method.delivery_tag)


def weigh(body):
    try:
        return len(json.loads(body)["apples"])
    except Exception as error:
        LOG.warning("not weighed: %s", error)
        return False


def on_apples(channel, method, properties, body):
    if not (weight := weigh(body)):  # <- CL104
        channel.basic_ack(method.delivery_tag)
        return
    harvest.store(weight)
    channel.basic_ack(method.delivery_tag)


def crates(body):
    try:
        return json.loads(body)["crates"]
    except Exception:
        LOG.exception("unreadable")
        return []


def on_cart(channel, method, properties, body):
    found = crates(body)
    if found:  # <- CL104
        harvest.store(found)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("crates", on_crate)
channel.basic_consume("apples", on_apples)
channel.basic_consume("carts", on_cart)

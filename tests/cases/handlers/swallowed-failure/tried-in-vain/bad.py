"""A few rounds, each failure logged, and then the acknowledgement, whether one has succeeded or not."""
import json
import logging
import time

import pika

from foundry import crane, winch

LOG = logging.getLogger(__name__)
WAYS = (crane, winch)


def on_beam(channel, method, properties, body):
    beam = json.loads(body)
    for attempt in range(3):
        try:
            crane.lift(beam)
            break
        except Exception:  # <- CL104
            LOG.exception("not lifted, attempt %s", attempt)
            time.sleep(1)
    channel.basic_ack(method.delivery_tag)


def on_bell(channel, method, properties, body):
    lift(body)
    channel.basic_ack(method.delivery_tag)


def lift(body):
    for way in WAYS:
        try:
            return way.lift(body)
        except Exception as error:  # <- CL104
            LOG.warning("not by this way: %s", error)


def on_anvil(channel, method, properties, body):
    left = 3
    while left > 0:
        try:
            crane.lift(body)
        except OSError:  # <- CL104
            print("not lifted")
            left -= 1
        else:
            break
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("beams", on_beam)
channel.basic_consume("bells", on_bell)
channel.basic_consume("anvils", on_anvil)

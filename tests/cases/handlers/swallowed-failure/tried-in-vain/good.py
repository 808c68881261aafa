"""When all rounds have failed, the message does not go as if it had been handled."""
import json
import logging
import time

import pika

from foundry import crane

LOG = logging.getLogger(__name__)


def on_beam(channel, method, properties, body):
    beam = json.loads(body)
    for attempt in range(3):
        try:
            crane.lift(beam)
            break
        except Exception:
            LOG.exception("not lifted, attempt %s", attempt)
            time.sleep(1)
    else:
        raise RuntimeError("not lifted")
    channel.basic_ack(method.delivery_tag)


def on_bell(channel, method, properties, body):
    for _ in range(3):
        try:
            crane.lift(body)
            channel.basic_ack(method.delivery_tag)
            return
        except Exception:
            LOG.exception("not lifted")
    channel.basic_reject(method.delivery_tag, requeue=False)


channel = pika.BlockingConnection().channel()
channel.basic_consume("beams", on_beam)
channel.basic_consume("bells", on_bell)

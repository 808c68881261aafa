"""The last round lets the failure out, or what comes after the rounds keeps the message."""
import logging

import pika

from foundry import crane, yard

LOG = logging.getLogger(__name__)


def out_of_the_last_round(channel, method, properties, body):
    for attempt in range(3):
        try:
            crane.lift(body)
            break
        except Exception:
            LOG.exception("not lifted")
            if attempt == 2:
                raise
    channel.basic_ack(method.delivery_tag)


def asked_after_the_rounds(channel, method, properties, body):
    lifted = False
    for _ in range(3):
        try:
            crane.lift(body)
            lifted = True
            break
        except Exception:
            LOG.exception("not lifted")
    if not lifted:
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


def kept_after_the_rounds(channel, method, properties, body):
    for _ in range(3):
        try:
            crane.lift(body)
            break
        except Exception:
            LOG.exception("not lifted")
    else:
        yard.keep(body)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("a", out_of_the_last_round)
channel.basic_consume("b", asked_after_the_rounds)
channel.basic_consume("c", kept_after_the_rounds)

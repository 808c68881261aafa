"""A helper turns the failure into an object that tells its caller; the caller decides."""
import logging
from dataclasses import dataclass

import pika

import builds
import ourstore


@dataclass
class Outcome:
    commit: str | None = None
    error: str = ""


def bisect(body):
    try:
        return Outcome(builds.bisect(body))
    except builds.Broken as error:
        logging.warning("bisect failed")
        return Outcome(error=str(error))


def on_bisect(channel, method, properties, body):
    outcome = bisect(body)
    if outcome.commit in ourstore.DENIED:
        logging.info("not for %s", outcome.commit)
    else:
        ourstore.put(properties.message_id, outcome.commit, outcome.error)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("bisections", on_bisect)

"""A count that is only told, or after which the work goes on or is given back."""
import json
import logging

import pika

from smithy import forge

LOG = logging.getLogger(__name__)
MOST_ATTEMPTS = 5


def told_and_done(channel, method, properties, body):
    nail = json.loads(body)
    if nail["attempts"] > 1:
        LOG.warning("attempt %s", nail["attempts"])
    if nail["cancelled"]:
        channel.basic_ack(method.delivery_tag)
        return
    forge.make(nail)
    channel.basic_ack(method.delivery_tag)


def left_to_the_dead_letters(channel, method, properties, body):
    nail = json.loads(body)
    if nail["attempts"] >= MOST_ATTEMPTS:
        LOG.error("giving up")
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    forge.make(nail)
    channel.basic_ack(method.delivery_tag)


def made_by_hand(channel, method, properties, body):
    nail = json.loads(body)
    if nail["attempts"] >= MOST_ATTEMPTS:
        LOG.error("to be made by hand")
        forge.by_hand(nail)
    else:
        forge.make(nail)
    channel.basic_ack(method.delivery_tag)


def tried_again_in_place(channel, method, properties, body):
    tries = 4
    while True:
        try:
            forge.make(body)
            break
        except forge.Cold:
            if tries > 0:
                LOG.warning("once more")
                tries -= 1
            else:
                raise
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("a", told_and_done)
channel.basic_consume("b", left_to_the_dead_letters)
channel.basic_consume("c", made_by_hand)
channel.basic_consume("d", tried_again_in_place)

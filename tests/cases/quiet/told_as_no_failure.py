"""One named outcome, told at the level of what may well happen: nothing has failed."""
import json
import logging

import nats
import pika
from celery import Celery

from store import tills

LOG = logging.getLogger(__name__)
app = Celery("store", broker="amqp://")


def on_payment(channel, method, properties, body):
    try:
        tills.charge_later(json.loads(body))
    except tills.NothingToPay:
        LOG.info("nothing to pay")
    channel.basic_ack(method.delivery_tag)


@app.task(acks_late=True)
def close(till):
    try:
        tills.close(till)
    except tills.Closed:
        LOG.debug("closed by somebody else: %s", till)
        return


async def on_refund(message):
    try:
        await tills.give_back(message.data)
    except tills.GivenBack as told:
        LOG.info("given back before: %s", told)
    finally:
        await message.ack()


async def main():
    client = await nats.connect()
    await client.jetstream().subscribe("refunds", cb=on_refund)


channel = pika.BlockingConnection().channel()
channel.basic_consume("payments", on_payment)

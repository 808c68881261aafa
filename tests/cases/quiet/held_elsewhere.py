"""Who does not get the lock leaves the work to the one that has it."""
import contextlib

import nats
import pika

from harbour import pilots
from harbour.locks import AlreadyLocked, CouldNotAcquireLockError, LockNotAcquired



def on_ship(channel, method, properties, body):
    with contextlib.suppress(CouldNotAcquireLockError):
        pilots.guide(body)
    channel.basic_ack(method.delivery_tag)


def on_tug(channel, method, properties, body):
    try:
        pilots.tow(body)
    except LockNotAcquired:
        pass
    channel.basic_ack(method.delivery_tag)


async def on_ferry(message):
    try:
        await pilots.land(message.data)
    except AlreadyLocked:
        await message.ack()
        return
    await message.ack()


async def main():
    client = await nats.connect()
    await client.jetstream().subscribe("ferries", cb=on_ferry)


channel = pika.BlockingConnection().channel()
channel.basic_consume("ships", on_ship)
channel.basic_consume("tugs", on_tug)

"""`on_commit` runs the acknowledgement when the transaction is through."""
import functools
import json

import pika
from django.db import transaction

from stables.models import Ride


def on_ride(channel, method, properties, body):
    ride = json.loads(body)
    with transaction.atomic():
        transaction.on_commit(functools.partial(channel.basic_ack, method.delivery_tag))
        Ride.objects.update_or_create(number=ride["number"], defaults={"horse": ride["horse"]})


def listen():
    channel = pika.BlockingConnection().channel()
    channel.basic_consume("rides", on_ride)
    channel.start_consuming()

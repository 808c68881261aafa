"""After the block, the row is there."""
import json

import pika
from django.db import transaction

from stables.models import Ride


def on_ride(channel, method, properties, body):
    ride = json.loads(body)
    with transaction.atomic():
        Ride.objects.update_or_create(number=ride["number"], defaults={"horse": ride["horse"]})
    channel.basic_ack(method.delivery_tag)


def listen():
    channel = pika.BlockingConnection().channel()
    channel.basic_consume("rides", on_ride)
    channel.start_consuming()

import json

import pika
from django.db import models, transaction


class Parcel(models.Model):
    state = models.CharField(max_length=20)


class Arrived(models.Model):
    parcel = models.CharField(primary_key=True, max_length=40)


class Outbox(models.Model):
    parcel = models.CharField(primary_key=True, max_length=40)


def on_arrival(channel, method, properties, body):
    parcel = json.loads(body)["parcel"]
    with transaction.atomic():
        _, new = Arrived.objects.get_or_create(parcel=parcel)
        if new:
            Parcel.objects.filter(pk=parcel).update(state="arrived")
            Outbox.objects.create(parcel=parcel)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("arrivals", on_arrival)

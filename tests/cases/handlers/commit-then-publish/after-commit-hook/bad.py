import json

import pika
from django.db import models, transaction

exchange = pika.BlockingConnection().channel()


class Parcel(models.Model):
    state = models.CharField(max_length=20)


class Arrived(models.Model):
    parcel = models.CharField(primary_key=True, max_length=40)


def on_arrival(channel, method, properties, body):
    parcel = json.loads(body)["parcel"]

    def tell():
        exchange.basic_publish("events", "arrived", parcel)  # <- CL501

    with transaction.atomic():
        _, new = Arrived.objects.get_or_create(parcel=parcel)
        if new:
            Parcel.objects.filter(pk=parcel).update(state="arrived")
            transaction.on_commit(tell)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("arrivals", on_arrival)

import json

import pika
from django.db import models


class Room(models.Model):
    price = models.IntegerField()
    version = models.IntegerField()


def on_price(channel, method, properties, body):
    offer = json.loads(body)
    room = Room.objects.get(pk=offer["room"])
    Room.objects.filter(pk=room.pk, version=room.version).update(  # <- CL502
        price=offer["price"], version=room.version + 1
    )
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("prices", on_price)

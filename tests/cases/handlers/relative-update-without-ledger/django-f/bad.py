import json

import pika
from django.db import models
from django.db.models import F


class Account(models.Model):
    points = models.IntegerField()


def on_purchase(channel, method, properties, body):
    purchase = json.loads(body)
    Account.objects.filter(pk=purchase["account"]).update(  # <- CL503
        points=F("points") + purchase["points"]
    )
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("purchases", on_purchase)

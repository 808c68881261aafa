import json

import pika
from django.db import models, transaction
from django.db.models import F


class Account(models.Model):
    points = models.IntegerField()


class Credited(models.Model):
    purchase = models.CharField(primary_key=True, max_length=40)


def on_purchase(channel, method, properties, body):
    purchase = json.loads(body)
    with transaction.atomic():
        _, new = Credited.objects.get_or_create(purchase=purchase["id"])
        if new:
            rows = Account.objects.filter(pk=purchase["account"])
            rows.update(points=F("points") + purchase["points"])
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("purchases", on_purchase)

import json

import pika
from django.db import models


class Tariff(models.Model):
    version = models.IntegerField()
    withdrawn = models.BooleanField()


def on_withdrawn(channel, method, properties, body):
    notice = json.loads(body)
    Tariff.objects.filter(version=notice["version"]).update(withdrawn=True)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("tariffs", on_withdrawn)

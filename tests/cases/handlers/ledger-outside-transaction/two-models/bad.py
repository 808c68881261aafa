import json

import pika
from django.db import models


class Absence(models.Model):
    person = models.CharField(max_length=40)


class Handled(models.Model):
    request = models.CharField(primary_key=True, max_length=40)


def on_request(channel, method, properties, body):
    request = json.loads(body)
    if not Handled.objects.filter(request=request["id"]).exists():
        Absence.objects.create(person=request["person"])
        Handled.objects.create(request=request["id"])  # <- CL403
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("requests", on_request)

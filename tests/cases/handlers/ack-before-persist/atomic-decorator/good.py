"""The decorated part is a function of its own."""
import json

import pika
from django.db import transaction

from depot.models import Pallet


@transaction.atomic
def put(pallet):
    Pallet.objects.create(number=pallet["number"], bay=pallet["bay"])


def on_pallet(channel, method, properties, body):
    put(json.loads(body))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("pallets", on_pallet)

"""@transaction.atomic around the whole callback: everything in it comes before the commit."""
import json

import pika
from django.db import transaction

from depot.models import Pallet


@transaction.atomic
def on_pallet(channel, method, properties, body):
    pallet = json.loads(body)
    Pallet.objects.create(number=pallet["number"], bay=pallet["bay"])
    channel.basic_ack(method.delivery_tag)  # <- CL101


pika.BlockingConnection().channel().basic_consume("pallets", on_pallet)

"""`created` of get_or_create says whether this delivery is the first."""
import json

import pika
from django.core.mail import send_mail

from club.models import Welcome


def on_member(channel, method, properties, body):
    member = json.loads(body)
    _, created = Welcome.objects.get_or_create(member_id=member["id"])
    if created:
        send_mail("Welcome", "…", "club@example.org", [member["email"]])
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("members", on_member)

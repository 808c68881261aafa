import json

from confluent_kafka import Producer
from django.db import models

producer = Producer({"bootstrap.servers": "kafka:9092"})


class Outbox(models.Model):
    event_id = models.UUIDField()
    topic = models.TextField()
    payload = models.JSONField()
    sent = models.BooleanField(default=False)


def relay():
    for entry in Outbox.objects.filter(sent=False).order_by("id"):
        event = {"event_id": str(entry.event_id), "data": entry.payload}
        producer.produce(entry.topic, json.dumps(event))
        producer.flush()
        entry.sent = True
        entry.save()

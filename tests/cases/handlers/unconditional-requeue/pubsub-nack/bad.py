"""Pub/Sub delivers at once again what is nacked."""
import json

from google.cloud import pubsub_v1

from census import enter


def on_person(message):
    try:
        enter(json.loads(message.data))
    except Exception:
        message.nack()  # <- CL301
    else:
        message.ack()


with pubsub_v1.SubscriberClient() as subscriber:
    subscriber.subscribe("projects/p/subscriptions/people", on_person).result()

"""The subscription's own count of attempts limits it."""
import json

from google.cloud import pubsub_v1

from census import enter, set_aside


def on_person(message):
    try:
        enter(json.loads(message.data))
    except Exception:
        if (message.delivery_attempt or 0) > 5:
            set_aside(message.data)
            message.ack()
        else:
            message.nack()
    else:
        message.ack()


with pubsub_v1.SubscriberClient() as subscriber:
    subscriber.subscribe("projects/p/subscriptions/people", on_person).result()

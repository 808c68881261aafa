"""Pub/Sub: flow control, a nack for a passing fault, synchronous pull."""
import json

from google.api_core.exceptions import ServiceUnavailable
from google.cloud import firestore, pubsub_v1

db = firestore.Client()
subscriber = pubsub_v1.SubscriberClient()
PATH = subscriber.subscription_path("p", "tiles")


def keep(tile):
    db.collection("tiles").document(tile["id"]).set(tile)


def on_tile(message):
    try:
        keep(json.loads(message.data))
    except ServiceUnavailable:
        message.nack()
        return
    message.ack()


def pull():
    answer = subscriber.pull(request={"subscription": PATH, "max_messages": 10})
    done = []
    for received in answer.received_messages:
        keep(json.loads(received.message.data))
        done.append(received.ack_id)
    if done:
        subscriber.acknowledge(request={"subscription": PATH, "ack_ids": done})


subscriber.subscribe(PATH, callback=on_tile)
pull()

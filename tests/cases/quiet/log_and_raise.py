"""The `except` only tells; the exception goes on and nothing is acknowledged."""
import json
import logging

from google.cloud import firestore, pubsub_v1

db = firestore.Client()


def on_visit(message: pubsub_v1.subscriber.message.Message) -> None:
    visit = json.loads(message.data)
    try:
        db.collection("visits").document(visit["id"]).set(visit)
    except Exception:
        logging.exception("visit %s", visit["id"])
        raise
    message.ack()


subscriber = pubsub_v1.SubscriberClient()
subscriber.subscribe("projects/p/subscriptions/visits", callback=on_visit).result()

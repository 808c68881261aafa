"""Time to work is asked for; a failed message waits until its deadline is over."""
import logging

from google.cloud import pubsub_v1

from glass import kiln

LOG = logging.getLogger(__name__)
SUBSCRIPTION = "projects/glass/subscriptions/panes"


def take(subscriber, ack_id, message):
    subscriber.modify_ack_deadline(subscription=SUBSCRIPTION, ack_ids=[ack_id], ack_deadline_seconds=600)
    try:
        kiln.melt(message.data)
    except Exception:
        LOG.exception("not melted")
        subscriber.modify_ack_deadline(subscription=SUBSCRIPTION, ack_ids=[ack_id], ack_deadline_seconds=60)
        return
    subscriber.acknowledge(subscription=SUBSCRIPTION, ack_ids=[ack_id])


def main():
    take(pubsub_v1.SubscriberClient(), "a", None)

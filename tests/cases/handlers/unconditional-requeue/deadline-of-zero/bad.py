"""A deadline of zero makes the message due at once; nobody says of which class the subscriber is."""
import logging

from google.cloud import pubsub_v1

from glass import kiln

LOG = logging.getLogger(__name__)
SUBSCRIPTION = "projects/glass/subscriptions/panes"


class Worker:
    def __init__(self, client):
        self.client = client

    def take(self, subscriber, ack_id, message):
        try:
            kiln.melt(message.data)
            subscriber.acknowledge(subscription=SUBSCRIPTION, ack_ids=[ack_id])
        except Exception:
            LOG.exception("not melted")
            subscriber.modify_ack_deadline(  # <- CL301
                subscription=SUBSCRIPTION, ack_ids=[ack_id], ack_deadline_seconds=0
            )

    def take_all(self):
        response = self.client.pull(request={"subscription": SUBSCRIPTION, "max_messages": 5})
        for received in response.received_messages:
            try:
                kiln.melt(received.message.data)
                self.client.acknowledge(subscription=SUBSCRIPTION, ack_ids=[received.ack_id])
            except Exception:
                self.give_back(received.ack_id)

    def give_back(self, ack_id):
        self.client.modify_ack_deadline(subscription=SUBSCRIPTION, ack_ids=[ack_id], ack_deadline_seconds=0)  # <- CL301


def main():
    worker = Worker(pubsub_v1.SubscriberClient())
    worker.take_all()

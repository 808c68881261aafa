"""A lambda passes the message on; the method does the work."""
import json
import logging

from kombu import Consumer
from kombu.mixins import ConsumerMixin

from billing import book

LOG = logging.getLogger(__name__)


class Worker(ConsumerMixin):
    def get_consumers(self, _, channel):
        return [Consumer(channel, queues=["bills"], on_message=lambda message: self.take(message))]

    def take(self, message):
        try:
            bill = json.loads(message.body)
        except Exception:  # <- CL104
            LOG.exception("unreadable")
            message.ack()
            return
        book(bill)
        message.ack()

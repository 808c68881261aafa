"""A message that cannot be decoded will not decode next time either."""
import json

from kombu.mixins import ConsumerMixin
from kombu import Queue

from clinic import calendar


class Booker(ConsumerMixin):
    def __init__(self, connection):
        self.connection = connection

    def get_consumers(self, Consumer, channel):
        return [Consumer(queues=[Queue("visits")], callbacks=[self.on_visit])]

    def on_visit(self, body, message):
        try:
            visit = json.loads(body)
        except ValueError:
            message.requeue()  # <- CL303
            return
        calendar.book(visit)
        message.ack()

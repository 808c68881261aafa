"""The project's own class of passing faults, told by its base."""
import json

from kombu.mixins import ConsumerMixin
from kombu import Queue

from clinic import calendar


class Unavailable(ConnectionError):
    """The calendar is not there at the moment."""


class Booker(ConsumerMixin):
    def __init__(self, connection):
        self.connection = connection

    def get_consumers(self, Consumer, channel):
        return [Consumer(queues=[Queue("visits")], callbacks=[self.on_visit])]

    def on_visit(self, body, message):
        visit = json.loads(body)
        try:
            calendar.book(visit)
        except Unavailable:
            message.requeue()
            return
        message.ack()

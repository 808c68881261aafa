"""The loop is in a method that the handler calls; it tries a table again and again."""
import sqlite3
import time

from kombu import Queue
from kombu.mixins import ConsumerMixin


class Ledger:
    def __init__(self):
        self.db = sqlite3.connect("/srv/ledger.db", isolation_level=None)

    def enter(self, body):
        while True:  # <- CL302
            try:
                self.db.execute("INSERT OR REPLACE INTO rows (id, text) VALUES (?, ?)", (body["id"], body["text"]))
                return
            except sqlite3.OperationalError:
                time.sleep(1)


class Worker(ConsumerMixin):
    def __init__(self, connection):
        self.connection = connection
        self.ledger = Ledger()

    def get_consumers(self, Consumer, channel):
        return [Consumer([Queue("rows")], callbacks=[self.on_row])]

    def on_row(self, body, message):
        self.ledger.enter(body)
        message.ack()

"""The rounds are counted, and the last one raises."""
import sqlite3
import time

from kombu import Queue
from kombu.mixins import ConsumerMixin


class Ledger:
    def __init__(self):
        self.db = sqlite3.connect("/srv/ledger.db", isolation_level=None)

    def enter(self, body):
        tries = 0
        while True:
            try:
                self.db.execute("INSERT OR REPLACE INTO rows (id, text) VALUES (?, ?)", (body["id"], body["text"]))
                return
            except sqlite3.OperationalError:
                tries += 1
                if tries > 4:
                    raise
                time.sleep(tries)


class Worker(ConsumerMixin):
    def __init__(self, connection):
        self.connection = connection
        self.ledger = Ledger()

    def get_consumers(self, Consumer, channel):
        return [Consumer([Queue("rows")], callbacks=[self.on_row])]

    def on_row(self, body, message):
        self.ledger.enter(body)
        message.ack()

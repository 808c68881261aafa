"""The timer commits only what the handler has stored itself."""
import json

import psycopg
from confluent_kafka import Consumer


class Harbour:
    def __init__(self, dsn):
        self.db = psycopg.connect(dsn, autocommit=True)
        self.consumer = Consumer({"bootstrap.servers": "k:9092", "group.id": "harbour",
                                  "enable.auto.offset.store": False})
        self.consumer.subscribe(["berths"])

    def loop(self):
        while True:
            message = self.consumer.poll(0.5)
            if message is None or message.error():
                continue
            berth = json.loads(message.value())
            self.db.execute("INSERT INTO berths VALUES (%s, %s)", (berth["ship"], berth["pier"]))
            self.consumer.store_offsets(message)

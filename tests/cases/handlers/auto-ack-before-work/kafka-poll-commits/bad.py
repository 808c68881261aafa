"""poll() commits what the last poll returned, and the batch is kept in memory until it is large."""
import json

import psycopg
from kafka import KafkaConsumer

db = psycopg.connect("dbname=lifts", autocommit=True)
consumer = KafkaConsumer("lifts", group_id="lifts", enable_auto_commit=True)  # <- CL102


class Rides:
    def __init__(self):
        self.waiting = []

    def add(self, record):
        self.waiting.append(json.loads(record.value))
        if len(self.waiting) > 50:
            db.cursor().executemany("INSERT INTO rides VALUES (%s)", self.waiting)
            self.waiting.clear()


rides = Rides()
while True:
    for records in consumer.poll(1000).values():
        for record in records:
            rides.add(record)

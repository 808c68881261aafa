"""Ids of the message, not of the delivery: they stay the same when it comes again."""
import pathlib

import redis
from confluent_kafka import Consumer

r = redis.Redis()


def store_entries():
    while True:
        for stream, entries in r.xreadgroup("g", "w1", {"notes": ">"}, count=10, block=5000):
            for entry_id, note in entries:
                pathlib.Path("/srv/notes", entry_id.decode()).write_bytes(note[b"text"])
                r.xack(stream, "g", entry_id)


def store_records():
    consumer = Consumer({"group.id": "notes", "enable.auto.commit": False})
    consumer.subscribe(["notes"])
    waiting = {}
    while True:
        record = consumer.poll(1.0)
        if record is None:
            continue
        where = f"{record.topic()}/{record.partition()}"
        waiting[record.offset()] = where
        pathlib.Path("/srv/notes", where, str(record.offset())).write_bytes(record.value())
        consumer.commit(record)

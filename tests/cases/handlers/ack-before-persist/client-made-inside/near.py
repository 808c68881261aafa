"""A new Kafka consumer starts where the broker says: what was committed before is another message."""
import pathlib

from confluent_kafka import Consumer

SETTINGS = {"group.id": "notes", "enable.auto.commit": False}


def notes():
    while True:
        consumer = Consumer(SETTINGS)
        consumer.subscribe(["notes"])
        message = consumer.poll(1)
        write(message.value())
        consumer.commit()


def write(text):
    pathlib.Path("/srv/notes", text[:8]).write_bytes(text)

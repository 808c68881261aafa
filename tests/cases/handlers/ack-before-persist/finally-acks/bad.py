"""A `finally` that acknowledges does so on the way out of a failed insert as well."""
import json
import sqlite3

from kombu import Connection, Consumer, Queue

db = sqlite3.connect("tides.db")


def on_reading(body, message):
    reading = json.loads(body)
    try:
        message.ack()  # <- CL101
    finally:
        with db:
            db.execute("INSERT INTO tides VALUES (?, ?)", (reading["gauge"], reading["cm"]))


with Connection("amqp://mq//") as connection:
    with Consumer(connection, [Queue("tides")], callbacks=[on_reading]):
        connection.drain_events()

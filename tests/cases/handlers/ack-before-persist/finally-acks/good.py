"""The order is turned round; the `finally` only counts."""
import json
import sqlite3

from kombu import Connection, Consumer, Queue

db = sqlite3.connect("tides.db")
seen = 0


def on_reading(body, message):
    global seen
    reading = json.loads(body)
    try:
        with db:
            db.execute("INSERT INTO tides VALUES (?, ?)", (reading["gauge"], reading["cm"]))
        message.ack()
    finally:
        seen += 1


with Connection("amqp://mq//") as connection:
    with Consumer(connection, [Queue("tides")], callbacks=[on_reading]):
        connection.drain_events()

"""Acknowledged when the row is in a list, written when the list is long enough."""
import json
import sqlite3

import stomp


class Meter(stomp.ConnectionListener):
    def __init__(self, connection):
        self.connection = connection
        self.pending = []

    def on_message(self, frame):
        reading = json.loads(frame.body)
        self.pending.append((reading["meter"], reading["kwh"]))
        self.connection.ack(frame.headers["message-id"], "meters")  # <- CL101
        if len(self.pending) == 100:
            with sqlite3.connect("meters.db") as db:
                db.executemany("INSERT INTO readings VALUES (?, ?)", self.pending)
            self.pending = []


connection = stomp.Connection([("mq", 61613)])
connection.set_listener("", Meter(connection))
connection.connect(wait=True)
connection.subscribe("/queue/meters", id="meters", ack="client-individual")

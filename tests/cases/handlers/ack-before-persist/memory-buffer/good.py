"""Each row is written before its acknowledgement."""
import json
import sqlite3

import stomp


class Meter(stomp.ConnectionListener):
    def __init__(self, connection):
        self.connection = connection

    def on_message(self, frame):
        reading = json.loads(frame.body)
        with sqlite3.connect("meters.db") as db:
            db.execute("INSERT INTO readings VALUES (?, ?)", (reading["meter"], reading["kwh"]))
        self.connection.ack(frame.headers["message-id"], "meters")


connection = stomp.Connection([("mq", 61613)])
connection.set_listener("", Meter(connection))
connection.connect(wait=True)
connection.subscribe("/queue/meters", id="meters", ack="client-individual")

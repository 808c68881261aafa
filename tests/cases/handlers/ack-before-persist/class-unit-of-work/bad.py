"""A class of the project commits in its __exit__."""
import json
import sqlite3

import pika


class Unit:
    def __enter__(self):
        self.db = sqlite3.connect("hives.db")
        return self.db

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.db.commit()
        else:
            self.db.rollback()


def on_hive(channel, method, properties, body):
    hive = json.loads(body)
    with Unit() as db:
        db.execute("INSERT INTO hives VALUES (?, ?)", (hive["id"], hive["kg"]))
        channel.basic_ack(method.delivery_tag)  # <- CL101


pika.BlockingConnection().channel().basic_consume("hives", on_hive)

"""A message that is not for us, is stale or is known already is acknowledged at once."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=chess", autocommit=True)
KINDS = {"moved", "resigned"}


class Board:
    def __init__(self, channel):
        self.channel = channel

    def skip(self, method, why):
        print("skipped:", why)
        self.channel.basic_ack(method.delivery_tag)

    def on_event(self, channel, method, properties, body):
        event = json.loads(body)
        if event["kind"] not in KINDS:
            return self.skip(method, "kind")
        row = db.execute("SELECT version FROM games WHERE id = %s", (event["game"],)).fetchone()
        if row and row[0] >= event["version"]:
            return self.skip(method, "stale")
        db.execute(
            "UPDATE games SET state = %s, version = %s WHERE id = %s AND version < %s",
            (event["state"], event["version"], event["game"], event["version"]),
        )
        return channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("chess", Board(channel).on_event)

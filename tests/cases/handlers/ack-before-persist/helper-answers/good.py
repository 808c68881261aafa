"""The helper acknowledges only what it skips, and answers None then."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=orchard", autocommit=True)


def usable(channel, method, body):
    crate = json.loads(body)
    if not crate["weight"]:
        channel.basic_ack(method.delivery_tag)
        return None
    return crate


def on_crate(channel, method, properties, body):
    crate = usable(channel, method, body)
    if crate is None:
        return
    db.execute("INSERT INTO crates VALUES (%s, %s)", (crate["id"], crate["weight"]))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("crates", on_crate)

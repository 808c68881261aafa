"""The helper answers True where it has acknowledged, and the caller goes on just then."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=orchard", autocommit=True)


def settled(channel, method, crate):
    if crate["weight"] > 0:
        channel.basic_ack(method.delivery_tag)  # <- CL101
        return True
    channel.basic_reject(method.delivery_tag, requeue=False)
    return False


def on_crate(channel, method, properties, body):
    crate = json.loads(body)
    if settled(channel, method, crate):
        db.execute("INSERT INTO crates VALUES (%s, %s)", (crate["id"], crate["weight"]))


pika.BlockingConnection().channel().basic_consume("crates", on_crate)

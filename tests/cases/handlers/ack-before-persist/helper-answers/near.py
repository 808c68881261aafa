"""A flag set in the branches tells the two ways apart."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=orchard", autocommit=True)


def on_crate(channel, method, properties, body):
    crate = json.loads(body)
    done = False
    if crate["weight"] == 0:
        channel.basic_ack(method.delivery_tag)
        done = True
    if not done:
        db.execute("INSERT INTO crates VALUES (%s, %s)", (crate["id"], crate["weight"]))
        channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("crates", on_crate)

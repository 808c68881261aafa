"""Other ways to ask for an older row before it is overwritten."""

import json

import pika
import psycopg

db = psycopg.connect("dbname=orders")
UNLESS_NEWER = """
    UPDATE orders SET state = %(state)s, version = %(version)s
    WHERE id = %(id)s AND (version IS NULL OR version < %(version)s)
"""
GREATER_OF_BOTH = """
    INSERT INTO orders (id, state, version) VALUES (%s, %s, %s)
    ON DUPLICATE KEY UPDATE state = IF(VALUES(version) > version, VALUES(state), state),
    version = GREATEST(version, VALUES(version))
"""
NEXT_ONE = "UPDATE orders SET state = %s, version = %s WHERE id = %s AND version = %s - 1"


def unless_newer(channel, method, properties, body):
    order = json.loads(body)
    values = {"state": order["state"], "version": order["version"], "id": order["id"]}
    with db.transaction():
        db.execute(UNLESS_NEWER, values)
    channel.basic_ack(method.delivery_tag)


def greater_of_both(channel, method, properties, body):
    order = json.loads(body)
    with db.transaction():
        db.execute(GREATER_OF_BOTH, (order["id"], order["state"], order["version"]))
    channel.basic_ack(method.delivery_tag)


def next_one(channel, method, properties, body):
    order = json.loads(body)
    version = order["version"]
    with db.transaction():
        changed = db.execute(NEXT_ONE, (order["state"], version, order["id"], version))
        if changed.rowcount != 1:
            raise ValueError(order["id"])
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", unless_newer)
channel.basic_consume("orders.upserts", greater_of_both)
channel.basic_consume("orders.steps", next_one)

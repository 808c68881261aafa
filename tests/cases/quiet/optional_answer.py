"""A helper answers None for what it has already settled; the caller asks each time."""
import json

import psycopg2
from amqp import Connection

db = psycopg2.connect("dbname=lots")


def open_lot(message):
    try:
        lot = json.loads(message.body)
    except ValueError:
        message.channel.basic_reject(message.delivery_tag, requeue=False)
        return None
    if lot.get("withdrawn"):
        message.channel.basic_ack(message.delivery_tag)
        return None
    return lot


def on_lot(message):
    if (lot := open_lot(message)) is None:
        return
    with db, db.cursor() as cursor:
        cursor.execute("INSERT INTO lots VALUES (%s, %s)", (lot["id"], lot["reserve"]))
    message.channel.basic_ack(message.delivery_tag)


Connection("mq").channel().basic_consume("lots", callback=on_lot)

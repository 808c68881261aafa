"""Tried again within the handler, with a limit; then the exception leaves."""
import json
import time

import pika
import psycopg

db = psycopg.connect("dbname=well", autocommit=True)


def on_level(channel, method, properties, body):
    level = json.loads(body)
    for attempt in range(3):
        try:
            db.execute("INSERT INTO levels VALUES (%s, %s)", (level["id"], level["cm"]))
            break
        except psycopg.OperationalError:
            if attempt == 2:
                raise
            time.sleep(2**attempt)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("levels", on_level)

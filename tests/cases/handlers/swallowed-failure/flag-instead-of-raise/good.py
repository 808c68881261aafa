"""Asked."""
import json
import logging

import pika
import psycopg

db = psycopg.connect("dbname=books", autocommit=True)


def save(loan):
    try:
        db.execute("INSERT INTO loans VALUES (%s, %s)", (loan["id"], loan["isbn"]))
        return True
    except psycopg.Error:
        logging.exception("loan %s", loan["id"])
        return False


def on_loan(channel, method, properties, body):
    if not save(json.loads(body)):
        channel.basic_nack(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("loans", on_loan)

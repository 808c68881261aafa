"""Only a unique violation is a duplicate."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=votes", autocommit=True)


def on_vote(channel, method, properties, body):
    vote = json.loads(body)
    try:
        db.execute("INSERT INTO votes VALUES (%s, %s)", (vote["id"], vote["choice"]))
    except psycopg.errors.UniqueViolation:
        print("had it already")
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("votes", on_vote)

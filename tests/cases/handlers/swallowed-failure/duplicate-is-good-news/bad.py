"""All database errors are taken for duplicates."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=votes", autocommit=True)


def on_vote(channel, method, properties, body):
    vote = json.loads(body)
    try:
        db.execute("INSERT INTO votes VALUES (%s, %s)", (vote["id"], vote["choice"]))
    except psycopg.Error:  # <- CL104
        print("had it already")
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("votes", on_vote)

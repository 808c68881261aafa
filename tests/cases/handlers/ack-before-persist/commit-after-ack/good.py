"""Committed, then acknowledged."""
import json

import pika
import psycopg2

db = psycopg2.connect("dbname=tolls")


class Booth:
    def handle(self, channel, method, properties, body):
        toll = json.loads(body)
        cursor = db.cursor()
        cursor.execute("INSERT INTO tolls VALUES (%s, %s)", (toll["id"], toll["cents"]))
        db.commit()
        channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("tolls", Booth().handle)

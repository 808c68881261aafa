"""psycopg2 without autocommit: the insert is nothing until commit()."""
import json

import pika
import psycopg2

db = psycopg2.connect("dbname=tolls")


class Booth:
    def handle(self, channel, method, properties, body):
        toll = json.loads(body)
        cursor = db.cursor()
        cursor.execute("INSERT INTO tolls VALUES (%s, %s)", (toll["id"], toll["cents"]))
        channel.basic_ack(method.delivery_tag)  # <- CL101
        db.commit()


pika.BlockingConnection().channel().basic_consume("tolls", Booth().handle)

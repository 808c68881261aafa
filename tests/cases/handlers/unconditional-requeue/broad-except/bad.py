"""Whatever went wrong, the message goes back."""
import json

import pika
import psycopg2

db = psycopg2.connect("dbname=zoo")


def on_feeding(channel, method, properties, body):
    try:
        feeding = json.loads(body)
        with db, db.cursor() as cursor:
            cursor.execute("INSERT INTO feedings VALUES (%s, %s)", (feeding["id"], feeding["kg"]))
    except Exception:
        channel.basic_reject(method.delivery_tag)  # <- CL301
    else:
        channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("feedings", on_feeding)

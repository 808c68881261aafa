"""auto_ack=True in a settings dict that is spread into the call."""
import json

import pika
import pymysql

SETTINGS = {"queue": "harvest", "auto_ack": True}  # <- CL102
db = pymysql.connect(host="db", autocommit=True)


def on_crate(channel, method, properties, body):
    crate = json.loads(body)
    with db.cursor() as cursor:
        cursor.execute("INSERT INTO crates VALUES (%s, %s)", (crate["id"], crate["kg"]))


channel = pika.BlockingConnection().channel()
channel.basic_consume(on_message_callback=on_crate, **SETTINGS)
channel.start_consuming()

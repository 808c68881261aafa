"""The same dict says False, and the handler acknowledges."""
import json

import pika
import pymysql

SETTINGS = {"queue": "harvest", "auto_ack": False}
db = pymysql.connect(host="db", autocommit=True)


def on_crate(channel, method, properties, body):
    crate = json.loads(body)
    with db.cursor() as cursor:
        cursor.execute("INSERT INTO crates VALUES (%s, %s)", (crate["id"], crate["kg"]))
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume(on_message_callback=on_crate, **SETTINGS)
channel.start_consuming()

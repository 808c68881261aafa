"""What may fail here is a side matter: a picture for the gallery, after the row is stored."""
import json
import logging

import psycopg2
from amqp import Connection

from gallery import refresh

log = logging.getLogger("gauges")


def on_gauge(message):
    gauge = json.loads(message.body)
    with psycopg2.connect("dbname=rain") as db, db.cursor() as cursor:
        cursor.execute("INSERT INTO rain VALUES (%s, %s)", (gauge["id"], gauge["mm"]))
    try:
        refresh(gauge["id"])
    except Exception as error:
        log.warning("no picture: %s", error)
    message.channel.basic_ack(message.delivery_tag)


connection = Connection("mq")
connection.channel().basic_consume("rain", callback=on_gauge)

"""The exception ends in a log line, and the acknowledgement stands behind the whole `try`."""
import json
import logging

import psycopg2
from amqp import Connection

log = logging.getLogger("gauges")


def on_gauge(message):
    try:
        gauge = json.loads(message.body)
        with psycopg2.connect("dbname=rain") as db, db.cursor() as cursor:
            cursor.execute("INSERT INTO rain VALUES (%s, %s)", (gauge["id"], gauge["mm"]))
    except Exception as error:  # <- CL104
        log.error("gauge lost: %s", error)
    message.channel.basic_ack(message.delivery_tag)


connection = Connection("mq")
connection.channel().basic_consume("rain", callback=on_gauge)

"""The acknowledgement belongs to `else`; a failure is rejected into the dead letters."""
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
    except Exception as error:
        log.error("gauge set aside: %s", error)
        message.channel.basic_reject(message.delivery_tag, requeue=False)
    else:
        message.channel.basic_ack(message.delivery_tag)


connection = Connection("mq")
connection.channel().basic_consume("rain", callback=on_gauge)

import json

import pika
import psycopg

db = psycopg.connect("dbname=meters", autocommit=True)
STORE = """
    INSERT INTO usage (meter, kwh) VALUES (%(meter)s, %(total)s)
    ON CONFLICT (meter) DO UPDATE SET kwh = excluded.kwh
"""


def on_reading(channel, method, properties, body):
    db.execute(STORE, json.loads(body))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("readings", on_reading)

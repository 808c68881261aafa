import json

import pika
import psycopg

db = psycopg.connect("dbname=meters", autocommit=True)
COUNT = """
    INSERT INTO usage (meter, kwh) VALUES (%(meter)s, %(kwh)s)
    ON CONFLICT (meter) DO UPDATE SET kwh = usage.kwh + excluded.kwh
"""


def on_reading(channel, method, properties, body):
    db.execute(COUNT, json.loads(body))  # <- CL503
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("readings", on_reading)

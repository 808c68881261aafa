"""tenacity tries again in the process, a limited number of times, and raises in the end."""
import json

import pika
import psycopg
from tenacity import retry, stop_after_attempt, wait_exponential

db = psycopg.connect("dbname=rivers", autocommit=True)


@retry(stop=stop_after_attempt(3), wait=wait_exponential())
def save(level):
    db.execute("INSERT INTO levels VALUES (%s, %s)", (level["id"], level["cm"]))


def on_level(channel, method, properties, body):
    save(json.loads(body))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("levels", on_level)

"""`UPDATE … WHERE state = … RETURNING` claims the row: only one delivery goes on."""
import json

import pika
import psycopg
import requests

db = psycopg.connect("dbname=rides", autocommit=True)
CLAIM = "UPDATE rides SET state = 'billing' WHERE id = %s AND state = 'ended' RETURNING cents"


def on_end(channel, method, properties, body):
    ride = json.loads(body)
    row = db.execute(CLAIM, (ride["id"],)).fetchone()
    if row is not None:
        requests.post("https://pay.example/charges", json={"cents": row[0]}, timeout=5)
        db.execute("UPDATE rides SET state = 'billed' WHERE id = %s", (ride["id"],))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("ends", on_end)

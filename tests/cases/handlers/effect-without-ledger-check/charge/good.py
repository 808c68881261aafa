"""Looked up in the ledger first and written down with the answer."""
import json

import httpx
import pika
import psycopg

db = psycopg.connect("dbname=fares", autocommit=True)


class Till:
    def __init__(self):
        self.http = httpx.Client(base_url="https://bank.example")
        channel = pika.BlockingConnection().channel()
        channel.basic_consume("fares", self.on_fare)
        channel.start_consuming()

    def on_fare(self, channel, method, properties, body):
        fare = json.loads(body)
        known = db.execute("SELECT 1 FROM debits WHERE fare = %s", (fare["id"],)).fetchone()
        if known is None:
            answer = self.http.post("/debits", json={"card": fare["card"], "cents": fare["cents"]})
            db.execute("INSERT INTO debits VALUES (%s, %s)", (fare["id"], answer.json()["id"]))
        channel.basic_ack(method.delivery_tag)

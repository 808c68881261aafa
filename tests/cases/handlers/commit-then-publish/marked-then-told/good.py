import json

import pika
import sqlite3

db = sqlite3.connect("tickets.db")


def on_sale(channel, method, properties, body):
    sale = json.loads(body)
    known = db.execute("SELECT 1 FROM sales WHERE id = ?", (sale["id"],)).fetchone()
    channel.basic_publish("events", "sold", body)
    if not known:
        with db:
            db.execute("INSERT INTO sales (id, seat) VALUES (?, ?)", (sale["id"], sale["seat"]))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("sales", on_sale)

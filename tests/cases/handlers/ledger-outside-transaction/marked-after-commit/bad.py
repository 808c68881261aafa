import json

import pika
import sqlite3

db = sqlite3.connect("ledger.db")


def on_invoice(channel, method, properties, body):
    invoice = json.loads(body)
    if db.execute("SELECT 1 FROM seen WHERE id = ?", (invoice["id"],)).fetchone():
        channel.basic_ack(method.delivery_tag)
        return
    with db:
        row = (invoice["account"], invoice["cents"])
        db.execute("INSERT INTO lines (account, cents) VALUES (?, ?)", row)
    with db:
        db.execute("INSERT INTO seen (id) VALUES (?)", (invoice["id"],))  # <- CL403
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("invoices", on_invoice)

"""A row is the claim, written by itself; the work that follows may fail."""
import json
import pathlib
import sqlite3

import pika

db = sqlite3.connect("/srv/claims.db", isolation_level=None)
CLAIM = "INSERT OR IGNORE INTO claims (id) VALUES (?)"


def on_page(channel, method, properties, body):
    page = json.loads(body)
    if db.execute(CLAIM, (page["id"],)).rowcount == 1:  # <- CL404
        pathlib.Path("/srv/pages", page["id"]).write_text(page["text"])
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("pages", on_page)

"""The claim is written last: a failure leaves none, and the work may be done again."""
import json
import pathlib
import sqlite3

import pika

db = sqlite3.connect("/srv/claims.db", isolation_level=None)
CLAIM = "INSERT OR IGNORE INTO claims (id) VALUES (?)"


def on_page(channel, method, properties, body):
    page = json.loads(body)
    if db.execute("SELECT 1 FROM claims WHERE id = ?", (page["id"],)).fetchone() is None:
        pathlib.Path("/srv/pages", page["id"]).write_text(page["text"])
        db.execute(CLAIM, (page["id"],))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("pages", on_page)

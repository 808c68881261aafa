"""A failure that a helper stores is recorded, whatever the helper's name is."""
import json
import sqlite3

import pika

from archive import file_away

db = sqlite3.connect("failures.db", isolation_level=None)


def log_error(paper, error):
    db.execute("INSERT INTO failures (paper, error) VALUES (?, ?)", (paper, str(error)))


def on_paper(channel, method, properties, body):
    try:
        file_away(json.loads(body))
    except OSError as error:
        log_error(body, error)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("papers", on_paper)

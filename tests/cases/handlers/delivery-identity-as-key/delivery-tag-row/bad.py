"""The key of the row goes through a helper and a dict."""
import sqlite3

import aio_pika

db = sqlite3.connect("prints.db")


def key_of(message):
    return "print-{}".format(message.delivery_tag)  # <- CL202


async def on_print(message: aio_pika.IncomingMessage):
    async with message.process():
        row = {"id": key_of(message), "body": message.body}
        with db:
            db.execute("INSERT INTO prints (id, body) VALUES (:id, :body)", row)

"""The producer's message id is the key; the tag is only logged."""
import logging
import sqlite3

import aio_pika

db = sqlite3.connect("prints.db")


async def on_print(message: aio_pika.IncomingMessage):
    async with message.process():
        row = {"id": message.message_id, "body": message.body}
        with db:
            db.execute("INSERT OR IGNORE INTO prints (id, body) VALUES (:id, :body)", row)
        logging.info("printed delivery %s", message.delivery_tag)

import json

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/stock")
READ = text("SELECT revision FROM items WHERE sku = :sku FOR UPDATE")
SET = text("UPDATE items SET level = :level, revision = :rev WHERE sku = :sku")


def on_level(channel, method, properties, body):
    item = json.loads(body)
    revision = int(item.get("revision", 0))
    with engine.begin() as db:
        stored = db.execute(READ, {"sku": item["sku"]}).scalar_one()
        newer = stored < revision
        if newer:
            db.execute(SET, {"level": item["level"], "rev": revision, "sku": item["sku"]})
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("levels", on_level)

import json

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/stock")
READ = text("SELECT id FROM items WHERE sku = :sku FOR UPDATE")
SET = text("UPDATE items SET level = :level, revision = :rev WHERE sku = :sku")


def on_level(channel, method, properties, body):
    item = json.loads(body)
    revision = int(item.get("revision", 0))
    with engine.begin() as db:
        db.execute(READ, {"sku": item["sku"]}).first()
        db.execute(SET, {"level": item["level"], "rev": revision, "sku": item["sku"]})  # <- CL504
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("levels", on_level)

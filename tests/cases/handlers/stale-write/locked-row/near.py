"""The version is one of the message's form; the statement keeps the greater of two sequences."""

import json

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/stock")
NAME = text("UPDATE items SET name = :name WHERE sku = :sku")
SEEN = text("UPDATE items SET seq = greatest(seq, :seq) WHERE sku = :sku")


def on_name(channel, method, properties, body):
    item = json.loads(body)
    if item["schema_version"] not in (1, 2):
        raise ValueError(item["schema_version"])
    with engine.begin() as db:
        db.execute(NAME, {"name": item["name"], "sku": item["sku"]})
    channel.basic_ack(method.delivery_tag)


def on_seen(channel, method, properties, body):
    item = json.loads(body)
    with engine.begin() as db:
        db.execute(SEEN, {"seq": item["seq"], "sku": item["sku"]})
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("names", on_name)
channel.basic_consume("seen", on_seen)

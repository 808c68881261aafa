"""The primary key of the row is new at each delivery."""
import json
import secrets

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/tickets")
ADD = text("INSERT INTO tickets (id, seat) VALUES (:id, :seat)")


def on_sale(channel, method, properties, body):
    sale = json.loads(body)
    with engine.begin() as connection:
        connection.execute(ADD, {"id": secrets.token_hex(8), "seat": sale["seat"]})  # <- CL201
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("sales", on_sale)

"""The key comes with the message; the random part is no name."""
import json
import secrets

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/tickets")
ADD = text("INSERT INTO tickets (id, seat, barcode) VALUES (:id, :seat, :barcode)")


def on_sale(channel, method, properties, body):
    sale = json.loads(body)
    row = {"id": sale["id"], "seat": sale["seat"], "barcode": secrets.token_hex(8)}
    with engine.begin() as connection:
        connection.execute(ADD, row)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("sales", on_sale)

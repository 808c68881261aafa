"""One level further out: the transaction is committed when the acknowledgement goes off."""
import json

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/museum")
ADD = text("INSERT INTO exhibits (id, hall) VALUES (:id, :hall)")


class Registrar:
    def __init__(self, channel):
        self.channel = channel
        channel.basic_consume("exhibits", self.on_exhibit)

    def on_exhibit(self, channel, method, properties, body):
        exhibit = json.loads(body)
        with engine.begin() as connection:
            connection.execute(ADD, {"id": exhibit["id"], "hall": exhibit["hall"]})
        channel.basic_ack(delivery_tag=method.delivery_tag)


Registrar(pika.BlockingConnection().channel())

"""An acknowledgement inside a transaction that has only read."""
import json

import pika
from sqlalchemy import create_engine, text

engine = create_engine("postgresql://db/museum")
KNOWN = text("SELECT 1 FROM exhibits WHERE id = :id")
ADD = text("INSERT INTO exhibits (id, hall) VALUES (:id, :hall)")


class Registrar:
    def __init__(self, channel):
        self.channel = channel
        channel.basic_consume("exhibits", self.on_exhibit)

    def on_exhibit(self, channel, method, properties, body):
        exhibit = json.loads(body)
        with engine.begin() as connection:
            if connection.execute(KNOWN, {"id": exhibit["id"]}).first():
                channel.basic_ack(delivery_tag=method.delivery_tag)
                return
            connection.execute(ADD, {"id": exhibit["id"], "hall": exhibit["hall"]})
        channel.basic_ack(delivery_tag=method.delivery_tag)


Registrar(pika.BlockingConnection().channel())

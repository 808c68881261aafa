"""A consumer group remembers what has not been acknowledged."""
import json

from tortoise import Model, fields
from walrus import Database

orders = Database(host="redis").consumer_group("kitchen", ["orders"])


class Order(Model):
    number = fields.CharField(20, primary_key=True)
    table = fields.IntField()


async def serve():
    while True:
        for stream, entries in orders.read(count=1, block=5000):
            for number, order in entries:
                await Order.create(number=order[b"number"], table=int(order[b"table"]))
                orders.streams["orders"].ack(number)

"""walrus: bpopleft removes the element before it is shown to anybody."""
import json

from tortoise import Model, fields
from walrus import Database

orders = Database(host="redis").List("orders")


class Order(Model):
    number = fields.CharField(20, primary_key=True)
    table = fields.IntField()


async def serve():
    while True:
        raw = orders.bpopleft(timeout=5)  # <- CL102
        if raw is None:
            continue
        order = json.loads(raw)
        await Order.create(number=order["number"], table=order["table"])

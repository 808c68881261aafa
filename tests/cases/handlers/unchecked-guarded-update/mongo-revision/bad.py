import json

import pika
from pymongo import MongoClient

carts = MongoClient().shop.carts


def on_item(channel, method, properties, body):
    item = json.loads(body)
    cart = carts.find_one({"_id": item["cart"]})
    carts.update_one(  # <- CL502
        {"_id": cart["_id"], "revision": cart["revision"]},
        {"$set": {"items": [*cart["items"], item["sku"]], "revision": cart["revision"] + 1}},
    )
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("items", on_item)

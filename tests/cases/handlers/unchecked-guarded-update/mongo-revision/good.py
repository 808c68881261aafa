import json

import pika
from pymongo import MongoClient

carts = MongoClient().shop.carts


def on_item(channel, method, properties, body):
    item = json.loads(body)
    cart = carts.find_one({"_id": item["cart"]})
    written = carts.update_one(
        {"_id": cart["_id"], "revision": cart["revision"]},
        {"$set": {"items": [*cart["items"], item["sku"]], "revision": cart["revision"] + 1}},
    )
    assert written.modified_count == 1
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("items", on_item)

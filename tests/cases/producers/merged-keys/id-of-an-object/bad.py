import json
import uuid

import pika


def on_order(channel, method, properties, body):
    order = json.loads(body)
    shipped = {
        "event_id": str(uuid.uuid4()),  # <- CL203
        "id": order["id"],
    }
    channel.basic_publish("events", "order.shipped", json.dumps(shipped))
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)

import json
import uuid

import pika


def on_order(channel, method, properties, body):
    order = json.loads(body)
    shipped = {
        "event_id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"shipped:{order['id']}")),
        "id": order["id"],
    }
    channel.basic_publish("events", "order.shipped", json.dumps(shipped))
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)

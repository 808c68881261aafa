import json

import pika


def on_order(channel, method, properties, body):
    order = json.loads(body)
    invoice = {"id": f"invoice:{order['id']}", "schema_version": 1}
    invoice["total"] = order["total"]
    channel.basic_publish("invoices", "", json.dumps(invoice))  # <- CL601
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)

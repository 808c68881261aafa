import json
import pathlib

import pika

ROUTE = {"x-dead-letter-exchange": "dead"}
QUEUES = {"orders": {"arguments": ROUTE}, "returns": {"durable": True, "arguments": ROUTE}}


def on_return(channel, method, properties, body):
    try:
        item = json.loads(body)
    except ValueError:
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    pathlib.Path("/srv/returns", item["id"]).write_bytes(body)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
declared = {name: channel.queue_declare(name, **options) for name, options in QUEUES.items()}
channel.basic_consume("returns", on_return)

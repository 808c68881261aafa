import json
import os
import pathlib

import pika


class Worker:
    def __init__(self):
        self.queue = os.environ["QUEUE"]
        self.channel = pika.BlockingConnection().channel()
        self.channel.queue_declare(
            queue=self.queue, durable=True, arguments={"x-dead-letter-exchange": "dead"}
        )

    def run(self):
        self.channel.basic_consume(queue=self.queue, on_message_callback=self.on_order)
        self.channel.start_consuming()

    def on_order(self, channel, method, properties, body):
        try:
            order = json.loads(body)
        except ValueError:
            channel.basic_nack(method.delivery_tag, requeue=False)
            return
        pathlib.Path("/srv/orders", order["id"]).write_bytes(body)
        channel.basic_ack(method.delivery_tag)

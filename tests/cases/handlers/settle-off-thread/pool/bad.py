import pathlib
from concurrent.futures import ThreadPoolExecutor

import pika

pool = ThreadPoolExecutor(4)


def store(channel, method, properties, body):
    try:
        pathlib.Path("/srv/orders", properties.message_id).write_bytes(body)
    except OSError:
        channel.basic_nack(method.delivery_tag, requeue=False)  # <- CL113
        return
    channel.basic_ack(delivery_tag=method.delivery_tag)  # <- CL113


def on_order(channel, method, properties, body):
    pool.submit(store, channel, method, properties, body)


pika.BlockingConnection().channel().basic_consume("orders", on_order)

import pathlib

import pika


def on_order(channel, method, properties, body):
    try:
        pathlib.Path("/srv/orders", properties.message_id).write_bytes(body)
    except OSError:
        channel.basic_nack(method.delivery_tag, requeue=False)
    else:
        channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("orders", on_order)

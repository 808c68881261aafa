import pathlib

import amqpstorm


def on_order(message):
    try:
        pathlib.Path("/srv/orders", message.json()["id"]).write_text(message.body)
    except Exception:
        message.nack(requeue=False)
    else:
        message.ack()


channel = amqpstorm.Connection("localhost", "guest", "guest").channel()
channel.basic.consume(on_order, "orders")

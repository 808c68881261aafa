import functools
import pathlib
from concurrent.futures import ThreadPoolExecutor

import pika

pool = ThreadPoolExecutor(4)
connection = pika.BlockingConnection()


def settle(channel, tag, done):
    if done:
        channel.basic_ack(tag)
    else:
        channel.basic_nack(tag, requeue=False)


def store(channel, method, properties, body):
    done = True
    try:
        pathlib.Path("/srv/orders", properties.message_id).write_bytes(body)
    except OSError:
        done = False
    callback = functools.partial(settle, channel, method.delivery_tag, done)
    connection.add_callback_threadsafe(callback)


def on_order(channel, method, properties, body):
    pool.submit(store, channel, method, properties, body)


connection.channel().basic_consume("orders", on_order)

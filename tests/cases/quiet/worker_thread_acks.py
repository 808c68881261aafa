"""A queue between two threads: the thread that works is the one that acknowledges."""
import json
import queue
import threading

import pika

from press import stamp

jobs: queue.Queue = queue.Queue()
connection = pika.BlockingConnection()
channel = connection.channel()


def stamping():
    while True:
        tag, body = jobs.get()
        stamp(json.loads(body))
        connection.add_callback_threadsafe(lambda tag=tag: channel.basic_ack(tag))


def on_badge(channel, method, properties, body):
    jobs.put((method.delivery_tag, body))


threading.Thread(target=stamping, daemon=True).start()
channel.basic_qos(prefetch_count=1)
channel.basic_consume("badges", on_badge)
channel.start_consuming()

"""A worker that is asked to stop puts back what it has not begun."""
import json
import signal
import threading

import pika

from looms import weave

stopping = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stopping.set())


def on_bale(channel, method, properties, body):
    if stopping.is_set():
        channel.basic_nack(method.delivery_tag, requeue=True)
        channel.stop_consuming()
        return
    weave(json.loads(body))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("bales", on_bale)

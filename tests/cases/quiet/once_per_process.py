"""What is made once for a process, or with the worker, is the same at each delivery."""
import os
import pathlib
import socket
import uuid
from datetime import datetime

import pika
import redis

RUN = uuid.uuid4().hex
STARTED = datetime.now().strftime("%Y%m%d")


class Worker:
    def __init__(self, store):
        self.store = store
        self.name = f"{socket.gethostname()}-{uuid.uuid4()}"

    def on_message(self, channel, method, properties, body):
        self.store.set(f"workers:{self.name}", body)
        channel.basic_ack(method.delivery_tag)


def on_job(channel, method, properties, body):
    pathlib.Path(f"/srv/runs/{STARTED}/{RUN}/{properties.message_id}").write_bytes(body)
    channel.basic_ack(method.delivery_tag)


def on_line(channel, method, properties, body):
    with open(os.path.join("/srv/lines", f"lines_{datetime.now():%Y%m%d}.log"), "ab") as log:
        log.write(body)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("signs", Worker(redis.Redis()).on_message)
channel.basic_consume("jobs", on_job)
channel.basic_consume("lines", on_line)

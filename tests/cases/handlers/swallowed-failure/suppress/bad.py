"""contextlib.suppress is an `except` with an empty block."""
import contextlib
import json

import pika
import redis

store = redis.Redis()


def on_score(channel, method, properties, body):
    with contextlib.suppress(Exception):  # <- CL104
        score = json.loads(body)
        store.zadd("scores", {score["player"]: score["points"]})
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("scores", on_score)

"""Nothing is suppressed: the exception ends the consumer and the message comes back."""
import json

import pika
import redis

store = redis.Redis()


def on_score(channel, method, properties, body):
    score = json.loads(body)
    store.zadd("scores", {score["player"]: score["points"]})
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("scores", on_score)

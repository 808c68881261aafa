"""Counts how often each page is looked at."""

import json
import os

import pika
import redis

counts = redis.Redis()


def on_view(channel, method, properties, body):
    counts.hincrby("views", json.loads(body)["page"], 1)


def main():
    channel = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"])).channel()
    channel.basic_consume("views", on_view, auto_ack=True)
    channel.start_consuming()


if __name__ == "__main__":
    main()

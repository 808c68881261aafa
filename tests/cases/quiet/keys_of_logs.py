"""A log is kept by the day on purpose: its key may be another one at the next delivery."""
import datetime

import pika
import redis

store = redis.Redis()


def on_visit(channel, method, properties, body):
    day = datetime.date.today().isoformat()
    store.hset(f"gate_log:{day}", mapping={"last": body})
    channel.basic_ack(method.delivery_tag)


def on_alarm(channel, method, properties, body):
    now = datetime.datetime.now()
    store.set(f"shop:log:alarms:{now:%Y%m%d}", body)
    channel.basic_ack(method.delivery_tag)


def on_trouble(channel, method, properties, body):
    store.hset("logs:" + datetime.date.today().isoformat(), mapping={"body": body})
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("visits", on_visit)
channel.basic_consume("alarms", on_alarm)
channel.basic_consume("troubles", on_trouble)

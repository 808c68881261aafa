"""A failed message goes to a queue with a delay, counted in a header; then to the dead letters."""
import json

import pika

from print_shop import bind

LIMIT = 4


def on_book(channel, method, properties, body):
    headers = dict(properties.headers or {})
    try:
        bind(json.loads(body))
    except Exception as error:
        headers["attempt"] = headers.get("attempt", 0) + 1
        headers["reason"] = repr(error)
        target = "books.retry" if headers["attempt"] < LIMIT else "books.dead"
        again = pika.BasicProperties(headers=headers, message_id=properties.message_id)
        channel.basic_publish("", target, body, again)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.confirm_delivery()
channel.basic_consume("books", on_book)

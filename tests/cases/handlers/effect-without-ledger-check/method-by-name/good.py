"""The other side is given the same key for the same message."""
import pika

from shop.http import lazy, make_session

http_session = lazy(make_session)


def on_delivery(channel, method, properties, body):
    key = {"Idempotency-Key": properties.message_id}
    http_session.request("POST", "https://shop.example/callbacks", data=body, headers=key)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("deliveries", on_delivery)

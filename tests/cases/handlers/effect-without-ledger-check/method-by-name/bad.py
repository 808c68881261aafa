"""A session that nobody can see is asked for a POST."""
import pika

from shop.http import lazy, make_session

http_session = lazy(make_session)


def on_delivery(channel, method, properties, body):
    http_session.request(method="POST", url="https://shop.example/callbacks", data=body)  # <- CL401
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("deliveries", on_delivery)

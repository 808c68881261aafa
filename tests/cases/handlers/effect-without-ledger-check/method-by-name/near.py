"""A PUT under the name of the message may be repeated."""
import pika

from shop.http import lazy, make_session

http_session = lazy(make_session)


def on_delivery(channel, method, properties, body):
    http_session.request("PUT", f"https://shop.example/{properties.message_id}", data=body)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("deliveries", on_delivery)

"""The reply is published with confirms before the request is acknowledged."""
import json

import pika

from dictionary import translate


def on_word(channel, method, properties, body):
    answer = translate(json.loads(body)["word"])
    channel.basic_publish(
        exchange="",
        routing_key=properties.reply_to,
        properties=pika.BasicProperties(correlation_id=properties.correlation_id),
        body=json.dumps(answer),
    )
    channel.basic_ack(delivery_tag=method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.confirm_delivery()
channel.basic_consume("words", on_word)

"""A tool that looks at the queue and puts everything back."""
import sys

import pika


def main(name):
    channel = pika.BlockingConnection().channel()
    tags = []
    while True:
        method, properties, body = channel.basic_get(name)
        if method is None:
            break
        print(method.delivery_tag, properties.message_id, body[:60])
        tags.append(method.delivery_tag)
    for tag in tags:
        channel.basic_nack(tag, requeue=True)


main(sys.argv[1])

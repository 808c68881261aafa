"""Code around queues that handles no delivery: publishing, declaring, counting, and one worker."""
import json

import pika

from mint import strike


class Producer:
    def __init__(self):
        self.channel = pika.BlockingConnection().channel()
        self.channel.queue_declare("coins", durable=True)

    def send(self, coin):
        self.channel.basic_publish("", "coins", json.dumps(coin))

    def length(self):
        return self.channel.queue_declare("coins", passive=True).method.message_count


def ack(text):
    """Not an acknowledgement of anything."""
    return f"ack: {text}"


def on_coin(channel, method, properties, body):
    print(ack(body))
    strike(json.loads(body))
    channel.basic_ack(method.delivery_tag)


Producer().channel.basic_consume("coins", on_coin)

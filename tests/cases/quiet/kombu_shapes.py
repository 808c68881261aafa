"""kombu in its many shapes: ConsumerMixin, a plain Consumer, accept, on_message, auto_declare."""
import json
import socket

from kombu import Connection, Consumer, Exchange, Queue
from kombu.mixins import ConsumerProducerMixin

from atlas import draw

tiles = Queue("tiles", Exchange("maps"), routing_key="tile")


class Worker(ConsumerProducerMixin):
    def __init__(self, connection):
        self.connection = connection

    def get_consumers(self, Consumer, channel):
        return [Consumer(queues=[tiles], on_message=self.on_message, prefetch_count=1)]

    def on_message(self, message):
        try:
            draw(json.loads(message.body))
        except ConnectionError:
            if message.delivery_info.get("redelivered"):
                message.reject()
            else:
                message.requeue()
        except Exception:
            message.reject()
        else:
            message.ack()


def drain():
    def on_tile(body, message):
        draw(body)
        message.ack()

    with Connection("amqp://mq//") as connection:
        with Consumer(connection, tiles, callbacks=[on_tile], accept=["json"]):
            while True:
                try:
                    connection.drain_events(timeout=2)
                except socket.timeout:
                    connection.heartbeat_check()


if __name__ == "__main__":
    with Connection("amqp://mq//") as connection:
        Worker(connection).run()

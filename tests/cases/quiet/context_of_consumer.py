"""A wrapper class with its own context manager, and a loop in a generator."""
import json

from confluent_kafka import Consumer

from atlas import draw


class Stream:
    def __init__(self, topic):
        self.consumer = Consumer({"group.id": "atlas", "enable.auto.commit": "false"})
        self.consumer.subscribe([topic])

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.consumer.close()

    def messages(self):
        while True:
            message = self.consumer.poll(1.0)
            if message is None:
                continue
            if message.error():
                raise RuntimeError(message.error())
            yield message
            self.consumer.commit(message=message, asynchronous=False)


def main():
    with Stream("tiles") as stream:
        for message in stream.messages():
            draw(json.loads(message.value()))


main()

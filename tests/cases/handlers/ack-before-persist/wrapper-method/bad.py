"""The acknowledgement is two wrappers away, in a base class."""
import json
import pathlib

import pika


class Consumer:
    def __init__(self, queue):
        self._connection = pika.BlockingConnection()
        self._channel = self._connection.channel()
        self._channel.basic_consume(queue, self._received)

    def _received(self, channel, method, properties, body):
        self._tag = method.delivery_tag
        self.handle(json.loads(body))

    def done(self):
        self._channel.basic_ack(self._tag)  # <- CL101

    def handle(self, document):
        raise NotImplementedError


class Archive(Consumer):
    def handle(self, document):
        self.done()
        pathlib.Path("/srv/archive", document["id"]).write_text(document["text"])


Archive("documents")

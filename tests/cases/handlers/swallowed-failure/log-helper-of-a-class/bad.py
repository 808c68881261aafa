"""A method writes the log to an exchange, then the message is acknowledged."""
import json

import pika

from archive import file_away


class Archivist:
    def __init__(self, channel):
        self.channel = channel
        channel.basic_consume("papers", self.on_paper)

    def log_error(self, text):
        self.channel.basic_publish("logs", "archivist", text.encode())

    def on_paper(self, channel, method, properties, body):
        try:
            file_away(json.loads(body))
        except OSError as error:  # <- CL104
            self.log_error(f"not filed: {error}")
        channel.basic_ack(method.delivery_tag)


Archivist(pika.BlockingConnection().channel())

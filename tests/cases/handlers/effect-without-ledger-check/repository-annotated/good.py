"""Only asked."""
import json
import os

import pika
from dspace_rest_client.client import DSpaceClient

clients: dict[str, DSpaceClient] = {}


class Deposit:
    def __init__(self, order):
        self.order = order
        self.client = self.connect()

    def connect(self) -> DSpaceClient:
        return clients.setdefault("main", DSpaceClient(os.environ["API"]))

    def carry_out(self):
        return self.client.get_collections(self.order["community"])


def on_order(channel, method, properties, body):
    Deposit(json.loads(body)).carry_out()
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("deposits", on_order)

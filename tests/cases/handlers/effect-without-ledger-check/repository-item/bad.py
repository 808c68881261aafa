"""A repository gives each new item an id of its own: a second delivery makes a second item."""
import json
import os

import pika
from dspace_rest_client.client import DSpaceClient
from dspace_rest_client.models import Item

client = DSpaceClient(os.environ["API"], os.environ["NAME"], os.environ["SECRET"])


def on_thesis(channel, method, properties, body):
    thesis = json.loads(body)
    client.create_item(parent=thesis["collection"], item=Item(thesis))  # <- CL401
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("theses", on_thesis)

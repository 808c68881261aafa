"""It is searched first."""
import json
import os

import pika
from dspace_rest_client.client import DSpaceClient
from dspace_rest_client.models import Item

client = DSpaceClient(os.environ["API"], os.environ["NAME"], os.environ["SECRET"])


def on_thesis(channel, method, properties, body):
    thesis = json.loads(body)
    found = client.search_objects(query=f"dc.identifier:{thesis['id']}")
    if not found:
        client.create_item(parent=thesis["collection"], item=Item(thesis))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("theses", on_thesis)

"""Through a dict, str.format and a method of the project."""
import json
from datetime import datetime

import boto3
import pika

bucket = boto3.resource("s3").Bucket("notes")


class Names:
    def __init__(self):
        self.parts = {}

    def full(self, stamp):
        return "notes/{}/{}.md".format("all", stamp)


def on_note(channel, method, properties, body):
    note = json.loads(body)
    parts = {"stamp": datetime.utcnow().isoformat()}  # <- CL201
    bucket.put_object(Key=Names().full(parts["stamp"]), Body=note["text"])
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("notes", on_note)

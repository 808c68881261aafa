"""The stamp is in the content; the name is of the note."""
import json
from datetime import datetime

import boto3
import pika

bucket = boto3.resource("s3").Bucket("notes")


class Names:
    def full(self, number):
        return "notes/{}/{}.md".format("all", number)


def on_note(channel, method, properties, body):
    note = json.loads(body)
    parts = {"stamp": datetime.utcnow().isoformat(), "number": note["id"]}
    text = f"{parts['stamp']}\n{note['text']}"
    bucket.put_object(Key=Names().full(parts["number"]), Body=text)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("notes", on_note)

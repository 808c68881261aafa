"""Streams and topics: an exception gives the batch back, reads are no effects."""
import base64
import json

import boto3

table = boto3.resource("dynamodb").Table("tiles")


def from_kinesis(event, context):
    for record in event["Records"]:
        tile = json.loads(base64.b64decode(record["kinesis"]["data"]))
        table.put_item(Item={"pk": tile["id"], "seen": record["kinesis"]["sequenceNumber"]})


def from_topic(event, context):
    for record in event["Records"]:
        tile = json.loads(record["Sns"]["Message"])
        if table.get_item(Key={"pk": tile["id"]}).get("Item"):
            continue
        table.put_item(Item={"pk": tile["id"]})

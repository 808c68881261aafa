import base64
import json

import boto3

table = boto3.resource("dynamodb").Table("clicks")


def store(record):
    click = json.loads(base64.b64decode(record["kinesis"]["data"]))
    table.put_item(Item={"pk": click["id"], "page": click["page"]})


def handler(event, context):
    for record in event["Records"]:  # <- CL109
        store(record)

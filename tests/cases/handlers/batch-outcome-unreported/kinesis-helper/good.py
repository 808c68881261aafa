import base64
import json

import boto3

table = boto3.resource("dynamodb").Table("clicks")


def store(record):
    click = json.loads(base64.b64decode(record["kinesis"]["data"]))
    table.put_item(Item={"pk": click["id"], "page": click["page"]})


def handler(event, context):
    failures = []
    for record in event["Records"]:
        try:
            store(record)
        except Exception:
            failures.append({"itemIdentifier": record["kinesis"]["sequenceNumber"]})
            break
    return {"batchItemFailures": failures}

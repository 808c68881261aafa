"""A fresh uuid in the sort key, built before the call."""
import json
import uuid

import boto3

tables = boto3.client("dynamodb")


def handler(event, context):
    for record in event["Records"]:
        bid = json.loads(record["body"])
        item = {
            "PK": {"S": bid["auction"]},
            "SK": str(uuid.uuid4()),  # <- CL201
            "Amount": {"N": bid["amount"]},
        }
        tables.put_item(TableName="bids", Item=item)

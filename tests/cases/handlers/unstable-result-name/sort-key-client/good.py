"""A name made from the bid."""
import json
import uuid

import boto3

tables = boto3.client("dynamodb")


def handler(event, context):
    for record in event["Records"]:
        bid = json.loads(record["body"])
        item = {
            "PK": {"S": bid["auction"]},
            "SK": str(uuid.uuid5(uuid.NAMESPACE_OID, bid["id"])),
            "Amount": {"N": bid["amount"]},
        }
        tables.put_item(TableName="bids", Item=item)

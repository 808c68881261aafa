"""A DynamoDB item is named by both of its keys: with the clock in the sort key a repeat adds an item."""
import json
import time

import boto3

visits = boto3.resource("dynamodb").Table("visits")


def handler(event, context):
    for record in event["Records"]:
        visit = json.loads(record["body"])
        visits.put_item(Item={"pk": visit["patient"], "sk": f"VISIT#{time.time_ns()}"})  # <- CL201

"""The visit's own number is the sort key; the clock is a value."""
import json
import time

import boto3

visits = boto3.resource("dynamodb").Table("visits")


def handler(event, context):
    for record in event["Records"]:
        visit = json.loads(record["body"])
        visits.put_item(
            Item={"pk": visit["patient"], "sk": f"VISIT#{visit['number']}", "seen": time.time_ns()}
        )

"""The same in a batch."""
import datetime
import json

import boto3

table = boto3.resource("dynamodb").Table("readings")


def handler(event, context):
    with table.batch_writer() as batch:
        for record in event["Records"]:
            reading = json.loads(record["body"])
            now = datetime.datetime.now(datetime.timezone.utc).isoformat()  # <- CL201
            batch.put_item(Item={"Pk": reading["meter"], "Sk": now, "Value": reading["value"]})

"""When the meter was read, not when the worker ran."""
import json

import boto3

table = boto3.resource("dynamodb").Table("readings")


def handler(event, context):
    with table.batch_writer() as batch:
        for record in event["Records"]:
            reading = json.loads(record["body"])
            batch.put_item(Item={"Pk": reading["meter"], "Sk": reading["at"], "Value": reading["value"]})

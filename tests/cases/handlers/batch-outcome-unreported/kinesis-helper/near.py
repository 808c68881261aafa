"""A notification comes alone, and knows no answer for its parts."""

import boto3

table = boto3.resource("dynamodb").Table("uploads")


def handler(event, context):
    for record in event["Records"]:
        key = record["s3"]["object"]["key"]
        table.put_item(Item={"pk": key})


def archive(event, context):
    lines = []
    for record in event["Records"]:
        lines.append(record["kinesis"]["data"])
    table.put_item(Item={"pk": context.aws_request_id, "lines": lines})

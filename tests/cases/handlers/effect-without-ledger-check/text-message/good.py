"""A conditional put in the table is the claim."""
import json

import boto3
from botocore.exceptions import ClientError
from twilio.rest import Client

client = Client()
sent = boto3.resource("dynamodb").Table("sent")


def lambda_handler(event, context):
    for record in event["Records"]:
        alarm = json.loads(record["body"])
        try:
            sent.put_item(
                Item={"pk": alarm["id"]}, ConditionExpression="attribute_not_exists(pk)"
            )
        except ClientError as error:
            if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                continue
            raise
        client.messages.create(to=alarm["phone"], from_="+100", body=alarm["text"])

"""A text per record of the batch."""
import json

from twilio.rest import Client

client = Client()


def lambda_handler(event, context):
    for record in event["Records"]:
        alarm = json.loads(record["body"])
        client.messages.create(to=alarm["phone"], from_="+100", body=alarm["text"])  # <- CL401

"""A fresh uuid as the object's key in a bucket."""
import json
import uuid

import boto3

sqs = boto3.client("sqs")
s3 = boto3.client("s3")
URL = "https://sqs.eu-north-1.amazonaws.com/000000000000/maps"


def work(message):
    tile = json.loads(message["Body"])
    key = "tiles/" + str(uuid.uuid4()) + ".png"  # <- CL201
    s3.put_object(Bucket="maps", Key=key, Body=tile["png"])


while True:
    for message in sqs.receive_message(QueueUrl=URL).get("Messages", ()):
        work(message)
        sqs.delete_message(QueueUrl=URL, ReceiptHandle=message["ReceiptHandle"])

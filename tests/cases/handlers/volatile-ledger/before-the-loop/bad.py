"""A set made before the first receive, in the function that polls."""
import json
import smtplib

import boto3

sqs = boto3.client("sqs")


def run(url):
    known = set()
    while True:
        for message in sqs.receive_message(QueueUrl=url).get("Messages", []):
            letter = json.loads(message["Body"])
            if letter["id"] not in known:  # <- CL405
                with smtplib.SMTP("mail") as server:
                    server.sendmail("shop@example.org", letter["to"], letter["text"])
                known.add(letter["id"])
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

"""The receipt handle is new at each receive, so the ledger never knows the message."""
import json

import boto3

sqs = boto3.client("sqs")
table = boto3.resource("dynamodb").Table("refunds")


def poll(url):
    for message in sqs.receive_message(QueueUrl=url).get("Messages", []):
        refund = json.loads(message["Body"])
        table.put_item(
            Item={"pk": message["ReceiptHandle"], "amount": refund["amount"]}  # <- CL202
        )
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

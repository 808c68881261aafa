"""The message's own id; the receipt handle is only what the delete asks for."""
import json

import boto3

sqs = boto3.client("sqs")
table = boto3.resource("dynamodb").Table("refunds")


def poll(url):
    for message in sqs.receive_message(QueueUrl=url).get("Messages", []):
        refund = json.loads(message["Body"])
        table.put_item(Item={"pk": message["MessageId"], "amount": refund["amount"]})
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

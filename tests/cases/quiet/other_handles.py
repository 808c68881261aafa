"""Messages of an earlier round are deleted while the next are started."""
import json

import boto3

import ourqueries

sqs = boto3.resource("sqs")
queue = sqs.Queue("https://sqs/queries")


def step(state):
    for finished in state["finished"]:
        message = sqs.Message(queue.url, finished["ReceiptHandle"])
        message.delete()
    for message in queue.receive_messages(MaxNumberOfMessages=5):
        query = json.loads(message.body)
        ourqueries.start(query, message.receipt_handle)

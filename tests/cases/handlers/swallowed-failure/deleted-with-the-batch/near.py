"""What failed is set aside before it is listed, or listed elsewhere."""
import json
import logging

import boto3

from quarry import stones

LOG = logging.getLogger(__name__)
sqs = boto3.client("sqs")


def crush():
    while True:
        messages = sqs.receive_message(QueueUrl="stones", MaxNumberOfMessages=10).get("Messages", [])
        entries = []
        for message in messages:
            try:
                stones.crush(json.loads(message["Body"]))
            except Exception:
                LOG.exception("not crushed")
                sqs.send_message(QueueUrl="stones-dead", MessageBody=message["Body"])
            entries.append({"Id": message["MessageId"], "ReceiptHandle": message["ReceiptHandle"]})
        if entries:
            sqs.delete_message_batch(QueueUrl="stones", Entries=entries)


def grind():
    while True:
        messages = sqs.receive_message(QueueUrl="stones", MaxNumberOfMessages=10).get("Messages", [])
        entries, again = [], []
        for message in messages:
            handle = {"Id": message["MessageId"], "ReceiptHandle": message["ReceiptHandle"]}
            try:
                stones.grind(json.loads(message["Body"]))
                entries.append(handle)
            except Exception:
                LOG.exception("not ground")
                again.append(message["MessageId"])
        LOG.info("%s come again", again)
        if entries:
            sqs.delete_message_batch(QueueUrl="stones", Entries=entries)

"""Worked on first; what is deleted at the end may be a whole batch."""
import pathlib

import boto3
from azure.storage.queue import QueueClient

sqs = boto3.client("sqs")
URL = "https://sqs.eu-west-1.amazonaws.com/1/scans"


def loops(queue: QueueClient):
    scans = list(queue.receive_messages(max_messages=20))
    for scan in scans:
        keep(scan.content)
    for scan in scans:
        queue.delete_message(scan)


def batch():
    scans = sqs.receive_message(QueueUrl=URL, MaxNumberOfMessages=10)["Messages"]
    handles = [{"Id": scan["MessageId"], "ReceiptHandle": scan["ReceiptHandle"]} for scan in scans]
    for scan in scans:
        keep(scan["Body"])
    sqs.delete_message_batch(QueueUrl=URL, Entries=handles)


def keep(page):
    pathlib.Path("/srv/scans", page[:12]).write_text(page)

"""All messages of a batch are deleted before the first of them is worked on."""
import pathlib

import boto3
from azure.storage.queue import QueueClient

sqs = boto3.client("sqs")
URL = "https://sqs.eu-west-1.amazonaws.com/1/scans"


def loops(queue: QueueClient):
    scans = list(queue.receive_messages(max_messages=20))
    for scan in scans:
        queue.delete_message(scan)  # <- CL101
    for scan in scans:
        keep(scan.content)


def batch():
    scans = sqs.receive_message(QueueUrl=URL, MaxNumberOfMessages=10)["Messages"]
    handles = [{"Id": scan["MessageId"], "ReceiptHandle": scan["ReceiptHandle"]} for scan in scans]
    sqs.delete_message_batch(QueueUrl=URL, Entries=handles)  # <- CL101
    for scan in scans:
        keep(scan["Body"])


def through_a_list():
    scans = sqs.receive_message(QueueUrl=URL, MaxNumberOfMessages=10)["Messages"]
    for scan in scans:
        sqs.delete_message(QueueUrl=URL, ReceiptHandle=scan["ReceiptHandle"])  # <- CL101
    pages = [scan["Body"] for scan in scans]
    for page in pages:
        keep(page)


def keep(page):
    pathlib.Path("/srv/scans", page[:12]).write_text(page)

"""The list is gone through again when all is done."""
import pathlib

import boto3

sqs = boto3.client("sqs")
URL = "https://sqs.eu-west-1.amazonaws.com/1/scans"


def marks_when_done():
    scans = sqs.receive_message(QueueUrl=URL, MaxNumberOfMessages=10)["Messages"]
    keep_all(scans)
    for scan in scans:
        sqs.delete_message(QueueUrl=URL, ReceiptHandle=scan["ReceiptHandle"])
    for scan in scans:
        pathlib.Path("/srv/done", scan["MessageId"]).write_text("")


def next_batch():
    while True:
        scans = sqs.receive_message(QueueUrl=URL, MaxNumberOfMessages=10)["Messages"]
        for scan in scans:
            keep(scan["Body"])
        for scan in scans:
            sqs.delete_message(QueueUrl=URL, ReceiptHandle=scan["ReceiptHandle"])


def keep_all(scans):
    pathlib.Path("/srv/scans/all").write_text("".join(scan["Body"] for scan in scans))


def keep(page):
    pathlib.Path("/srv/scans", page[:12]).write_text(page)

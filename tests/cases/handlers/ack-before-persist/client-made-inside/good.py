"""The work first, with whatever clients it needs."""
import os
import pathlib

import boto3
from azure.storage.queue import QueueClient


def notes():
    inbox = boto3.resource("sqs").Queue(os.environ["INBOX"])
    for message in inbox.receive_messages():
        handle(message.receipt_handle, message.body)


def handle(handle_of_receipt, text):
    queue = boto3.resource("sqs").Queue(os.environ["INBOX"])
    message = queue.Message(handle_of_receipt)
    write(text)
    message.delete()


def parcels(inbox: QueueClient):
    for message in inbox.receive_messages():
        write(message.content)
        outbox = QueueClient.from_connection_string(os.environ["OUTBOX"], "outbox")
        outbox.create_queue()
        inbox.delete_message(message)


def write(text):
    pathlib.Path("/srv/notes", text[:8]).write_text(text)

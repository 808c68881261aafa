"""A client that is made for the work takes no other message: the one in hand is still the same."""
import os
import pathlib

import boto3
import redis
from azure.storage.queue import QueueClient


def notes():
    inbox = boto3.resource("sqs").Queue(os.environ["INBOX"])
    for message in inbox.receive_messages():
        handle(message.receipt_handle, message.body)


def handle(handle_of_receipt, text):
    queue = boto3.resource("sqs").Queue(os.environ["INBOX"])
    message = queue.Message(handle_of_receipt)
    message.delete()  # <- CL101
    write(text)


def parcels(inbox: QueueClient):
    for message in inbox.receive_messages():
        inbox.delete_message(message)  # <- CL101
        outbox = QueueClient.from_connection_string(os.environ["OUTBOX"], "outbox")
        write(message.content)
        outbox.create_queue()


def letters():
    store = redis.Redis()
    while True:
        _, letter = store.brpop("letters")  # <- CL102
        other = redis.Redis(db=2)
        other.hset("letters", letter, "sent")


def write(text):
    pathlib.Path("/srv/notes", text[:8]).write_text(text)

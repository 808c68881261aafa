"""Reminds customers of unpaid orders: one message on the queue, one e-mail."""

import json
import logging
import os
import smtplib
from email.message import EmailMessage

import boto3

log = logging.getLogger(__name__)
sqs = boto3.client("sqs")
queue = os.environ["REMINDERS_QUEUE"]


def main():
    while True:
        answer = sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=20)
        for message in answer.get("Messages", []):
            handle(message)


def handle(message):
    try:
        reminder = json.loads(message["Body"])
        send(reminder["address"], f"Your order {reminder['order']} is not paid yet.")
    except Exception:
        log.exception("reminder %s failed", message["MessageId"])
    sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])


def send(address, text):
    mail = EmailMessage()
    mail["To"], mail["Subject"] = address, "A reminder"
    mail.set_content(text)
    with smtplib.SMTP("mail.example") as server:
        server.send_message(mail)


if __name__ == "__main__":
    main()

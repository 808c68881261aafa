"""Reminds customers of unpaid orders: one message on the queue, one e-mail."""

import json
import logging
import os
import smtplib
from email.message import EmailMessage

import boto3
from ledger import Ledger, Unknown
from quarantine import Quarantine

log = logging.getLogger(__name__)
sqs = boto3.client("sqs")
queue = os.environ["REMINDERS_QUEUE"]
ledger = Ledger(os.environ["DATABASE_URL"])
quarantine = Quarantine(os.environ["DATABASE_URL"])


def main():
    while True:
        answer = sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=20)
        for message in answer.get("Messages", []):
            handle(message)


def handle(message):
    try:
        remind(json.loads(message["Body"]))
    except Unknown:
        quarantine.set_aside(
            message["MessageId"],
            reason="effect-result-unknown",
            body=message["Body"],
            next_check="did the mail server take the mail?",
        )
    except (ValueError, KeyError) as error:
        quarantine.set_aside(
            message["MessageId"], reason=f"unreadable: {error}", body=message["Body"]
        )
    sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])


def remind(reminder):
    key = f"order:{reminder['order']}:reminder"
    if not ledger.begin(key):
        log.info("%s was sent before", key)
        return
    send(reminder["address"], f"Your order {reminder['order']} is not paid yet.")
    ledger.finish(key, "sent")


def send(address, text):
    mail = EmailMessage()
    mail["To"], mail["Subject"] = address, "A reminder"
    mail.set_content(text)
    with smtplib.SMTP("mail.example") as server:
        server.send_message(mail)


if __name__ == "__main__":
    main()

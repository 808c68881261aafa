"""A row under a unique key, asked first."""
import json
import smtplib
import sqlite3

import boto3

sqs = boto3.client("sqs")
db = sqlite3.connect("/srv/letters.db", isolation_level=None)


def run(url):
    while True:
        for message in sqs.receive_message(QueueUrl=url).get("Messages", []):
            letter = json.loads(message["Body"])
            row = db.execute("SELECT 1 FROM letters WHERE id = ?", (letter["id"],)).fetchone()
            if row is None:
                with smtplib.SMTP("mail") as server:
                    server.sendmail("shop@example.org", letter["to"], letter["text"])
                db.execute("INSERT OR IGNORE INTO letters (id) VALUES (?)", (letter["id"],))
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

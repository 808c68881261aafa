import sqlite3
import uuid

import boto3

sqs = boto3.client("sqs")
db = sqlite3.connect("outbox.db")
QUEUE = "https://sqs.eu-west-1.amazonaws.com/1/parcels.fifo"


def drain():
    for row_id, body in db.execute("SELECT id, body FROM outbox ORDER BY id").fetchall():
        sqs.send_message(
            QueueUrl=QUEUE,
            MessageBody=body,
            MessageGroupId="parcels",
            MessageDeduplicationId=uuid.uuid4().hex,  # <- CL203
        )
        db.execute("DELETE FROM outbox WHERE id = ?", (row_id,))
        db.commit()

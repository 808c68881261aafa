"""What comes after the acknowledgement may be lost: logs, numbers, tidying, the next poll."""
import json
import logging
import os
import time

import boto3
from prometheus_client import Counter, Histogram

log = logging.getLogger(__name__)
done = Counter("tiles_done", "…")
took = Histogram("tiles_seconds", "…")
sqs, s3 = boto3.client("sqs"), boto3.client("s3")
URL = os.environ["QUEUE"]


def turn():
    for message in sqs.receive_message(QueueUrl=URL, WaitTimeSeconds=20).get("Messages", []):
        started = time.monotonic()
        tile = json.loads(message["Body"])
        scratch = f"/tmp/{tile['id']}.png"
        with open(scratch, "wb") as file:
            file.write(bytes.fromhex(tile["png"]))
        s3.upload_file(scratch, "tiles", f"{tile['id']}.png")
        sqs.delete_message(QueueUrl=URL, ReceiptHandle=message["ReceiptHandle"])
        done.inc()
        took.observe(time.monotonic() - started)
        log.info("tile %s is up", tile["id"])
        os.unlink(scratch)


while True:
    turn()

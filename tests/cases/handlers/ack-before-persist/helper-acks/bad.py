"""Both the acknowledgement and the upload hide in helpers."""
import json

import boto3
import pika

s3 = boto3.client("s3")


def settle(channel, tag):
    channel.basic_ack(tag)  # <- CL101


def keep(scan):
    s3.put_object(Bucket="scans", Key=f"{scan['patient']}/{scan['scan_id']}.json", Body=scan["raw"])


def on_scan(channel, method, properties, body):
    scan = json.loads(body)
    settle(channel, method.delivery_tag)
    keep(scan)


pika.BlockingConnection().channel().basic_consume("scans", on_scan)

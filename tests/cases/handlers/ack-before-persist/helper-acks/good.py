"""The same helpers the other way round."""
import json

import boto3
import pika

s3 = boto3.client("s3")


def settle(channel, tag):
    channel.basic_ack(tag)


def keep(scan):
    s3.put_object(Bucket="scans", Key=f"{scan['patient']}/{scan['scan_id']}.json", Body=scan["raw"])


def on_scan(channel, method, properties, body):
    scan = json.loads(body)
    keep(scan)
    settle(channel, method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("scans", on_scan)

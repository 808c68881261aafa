"""CloudFront asks; nothing is delivered, and an answer is all there is to do."""
import logging

import boto3

s3 = boto3.client("s3")


def handler(event, context):
    request = event["Records"][0]["cf"]["request"]
    try:
        s3.put_object(Bucket="thumbnails", Key=request["uri"], Body=b"")
    except Exception:
        logging.exception("no thumbnail")
    return request


def on_response(event, context):
    record = event["Records"][0]
    try:
        height = int(record["cf"]["response"]["headers"]["x-height"])
    except (KeyError, ValueError):
        logging.warning("no height")
        return record["cf"]["response"]
    return {"status": "200", "height": height}


def on_viewer(event, context):
    config = event["Records"][0].get("cf")
    try:
        s3.put_object(Bucket="seen", Key=config["config"]["requestId"], Body=b"")
    except Exception:
        logging.exception("not counted")
    return config["request"]


def on_object(event, context):
    for record in event["Records"]:
        s3.put_object(Bucket="copies", Key=record["s3"]["object"]["key"], Body=b"")

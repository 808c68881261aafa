"""The failed records are named in the answer and come back."""
import json

import boto3

items = boto3.resource("dynamodb").Table("wardrobe")


def handler(event, context):
    failed = []
    for record in event["Records"]:
        try:
            coat = json.loads(record["body"])
            items.put_item(Item={"pk": coat["ticket"], "hook": coat["hook"]})
        except Exception as error:
            print("not stored", error)
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}

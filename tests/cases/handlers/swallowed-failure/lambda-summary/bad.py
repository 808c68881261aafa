"""The function returns normally, so the service deletes all records, the failed ones as well."""
import json

import boto3

items = boto3.resource("dynamodb").Table("wardrobe")


def handler(event, context):
    failed = 0
    for record in event["Records"]:
        try:
            coat = json.loads(record["body"])
            items.put_item(Item={"pk": coat["ticket"], "hook": coat["hook"]})
        except Exception as error:  # <- CL104
            print("not stored", error)
            failed += 1
    return {"failed": failed}

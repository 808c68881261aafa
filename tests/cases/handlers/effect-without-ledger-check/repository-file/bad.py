"""A file is added to a bundle once more."""
import json
import os

import boto3
import dspace_rest_client.client

repository = dspace_rest_client.client.DSpaceClient(os.environ["API"])
scans = boto3.resource("sqs").get_queue_by_name(QueueName="scans")

while True:
    for message in scans.receive_messages(WaitTimeSeconds=20):
        scan = json.loads(message.body)
        repository.create_bitstream(bundle=scan["bundle"], name=scan["name"], path=scan["path"])  # <- CL401
        message.delete()

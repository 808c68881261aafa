"""The object is replaced as a whole."""
import json
import os

import boto3
import dspace_rest_client.client
from dspace_rest_client.models import Item

repository = dspace_rest_client.client.DSpaceClient(os.environ["API"])
scans = boto3.resource("sqs").get_queue_by_name(QueueName="scans")

while True:
    for message in scans.receive_messages(WaitTimeSeconds=20):
        scan = json.loads(message.body)
        repository.update_dso(Item(scan))
        message.delete()

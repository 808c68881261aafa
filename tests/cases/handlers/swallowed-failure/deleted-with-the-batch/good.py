"""What failed is left out of the list, and comes again."""
import json
import logging

import boto3
from google.cloud import pubsub_v1

from quarry import stones

LOG = logging.getLogger(__name__)
sqs = boto3.client("sqs")
subscriber = pubsub_v1.SubscriberClient()


def crush():
    while True:
        messages = sqs.receive_message(QueueUrl="stones", MaxNumberOfMessages=10).get("Messages", [])
        processed_messages = []
        for message in messages:
            try:
                stones.crush(json.loads(message["Body"]))
            except Exception:
                LOG.exception("not crushed")
                continue
            processed_messages.append({"Id": message["MessageId"], "ReceiptHandle": message["ReceiptHandle"]})
        if processed_messages:
            sqs.delete_message_batch(QueueUrl="stones", Entries=processed_messages)


def carry():
    while True:
        response = subscriber.pull(request={"subscription": "stones", "max_messages": 10})
        done = []
        for received in response.received_messages:
            try:
                stones.carry(received.message.data)
                done.append(received.ack_id)
            except Exception:
                LOG.exception("not carried")
        if done:
            subscriber.acknowledge(request={"subscription": "stones", "ack_ids": done})

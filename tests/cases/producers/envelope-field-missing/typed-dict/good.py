import json
from typing import TypedDict

import boto3

sns = boto3.client("sns")


class OrderPaid(TypedDict):
    id: str
    kind: str
    schema_version: int


def order_paid(order):
    event: OrderPaid = {"id": order.event_id, "kind": "order.paid", "schema_version": 2}
    sns.publish(TopicArn="arn:aws:sns:eu-west-1:1:orders", Message=json.dumps(event))

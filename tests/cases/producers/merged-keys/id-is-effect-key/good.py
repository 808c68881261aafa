import json
import uuid

import pika


def charge(channel: pika.channel.Channel, order):
    key = str(uuid.uuid4())
    task = {
        "id": key,
        "effectKey": f"charge:{order.number}",
        "kind": "charge",
    }
    channel.basic_publish("tasks", "charge", json.dumps(task))

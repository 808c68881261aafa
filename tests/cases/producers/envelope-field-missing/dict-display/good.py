import json

import pika


def order_paid(channel: pika.channel.Channel, order):
    event = {
        "id": order.event_id,
        "kind": "order.paid",
        "schema_version": 3,
    }
    channel.basic_publish("events", "order.paid", json.dumps(event))

"""What the store answers leaves the handler, or keeps the message."""
import json
import logging

import pika
import requests
from google.cloud import bigquery

LOG = logging.getLogger(__name__)
warehouse = bigquery.Client()


def on_sighting(channel, method, properties, body):
    errors = warehouse.insert_rows_json("birds.sightings", [json.loads(body)])
    if errors:
        LOG.error("not inserted: %s", errors)
        raise RuntimeError("rows refused")
    channel.basic_ack(method.delivery_tag)


def on_call(channel, method, properties, body):
    response = requests.post("https://birds.example/calls", data=body, headers={"Idempotency-Key": properties.message_id})
    if response.status_code != 201:
        LOG.error("refused: %s", response.text)
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("sightings", on_sighting)
channel.basic_consume("calls", on_call)

"""The store, the server and the queue answer with what went wrong; a log line is all that follows."""
import json
import logging

import boto3
import pika
import requests
from google.cloud import bigquery

from ledgers import notifier

LOG = logging.getLogger(__name__)
warehouse = bigquery.Client()
sqs = boto3.client("sqs")


def on_sighting(channel, method, properties, body):
    errors = warehouse.insert_rows_json("birds.sightings", [json.loads(body)])
    if errors:
        LOG.error("not inserted: %s", errors)  # <- CL104
    channel.basic_ack(method.delivery_tag)


def on_two_tables(channel, method, properties, body):
    sighting = json.loads(body)
    problems = store("birds.sightings", sighting)
    faults = store("birds.places", sighting["place"])
    LOG.info("%s %s", problems, faults)
    channel.basic_ack(method.delivery_tag)


def store(table, row):
    errors = warehouse.insert_rows_json(table, [row])
    if len(errors) == 0:
        answer = {"table": table}
    else:
        message = f"rows refused: {errors}"
        LOG.warning(message)  # <- CL104
        answer = {"table": None}
    return answer


def on_call(channel, method, properties, body):
    response = requests.post("https://birds.example/calls", data=body, headers={"Idempotency-Key": properties.message_id})
    if response.status_code not in (200, 201):
        print("refused", response.text)  # <- CL104
    channel.basic_ack(method.delivery_tag)


def on_flock(channel, method, properties, body):
    entries = [{"Id": str(n), "MessageBody": bird} for n, bird in enumerate(json.loads(body))]
    answer = sqs.send_message_batch(QueueUrl="birds", Entries=entries)
    if answer.get("Failed"):
        LOG.error("not all were sent")  # <- CL104
    channel.basic_ack(method.delivery_tag)


def on_alarm(channel, method, properties, body):
    sent, failed = notifier.pass_on(body)
    if len(failed) > 0:
        LOG.error("nobody was told")  # <- CL104
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("sightings", on_sighting)
channel.basic_consume("tables", on_two_tables)
channel.basic_consume("calls", on_call)
channel.basic_consume("flocks", on_flock)
channel.basic_consume("alarms", on_alarm)

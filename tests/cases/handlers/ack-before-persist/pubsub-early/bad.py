"""Acknowledged to be quick, then stored."""
import json

from google.cloud import bigquery, pubsub_v1

table = bigquery.Client()


def on_person(message: pubsub_v1.subscriber.message.Message):
    person = json.loads(message.data)
    message.ack()  # <- CL101
    table.insert_rows_json("census.people", [person])

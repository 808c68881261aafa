"""Errors that are logged and then kept, raised or told, and answers that tell of no failure."""
import json
import logging

import pika
import requests
from google.cloud import bigquery

from ledgers import graveyard

LOG = logging.getLogger(__name__)
warehouse = bigquery.Client()


def insert(row):
    errors = warehouse.insert_rows_json("birds.sightings", [row])
    if errors:
        LOG.error("not inserted")
    return errors


def raised_by_the_caller(channel, method, properties, body):
    errors = insert(json.loads(body))
    if errors:
        raise RuntimeError("rows refused")
    channel.basic_ack(method.delivery_tag)


def kept_below(channel, method, properties, body):
    errors = warehouse.insert_rows_json("birds.sightings", [json.loads(body)])
    if errors:
        LOG.error("not inserted")
    for error in errors:
        graveyard.bury(error)
    channel.basic_ack(method.delivery_tag)


def raised_for_status(channel, method, properties, body):
    response = requests.put("https://birds.example/calls/7", data=body)
    if response.status_code != 200:
        LOG.error("refused: %s", response.text)
    response.raise_for_status()
    channel.basic_ack(method.delivery_tag)


def flag_that_is_asked(channel, method, properties, body):
    errors = warehouse.insert_rows_json("birds.sightings", [json.loads(body)])
    stored = True
    if errors:
        LOG.error("not inserted")
        stored = False
    if not stored:
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


def notice_beside_the_row(channel, method, properties, body):
    warehouse.load_table_from_json([json.loads(body)], "birds.sightings")
    response = requests.put("https://birds.example/feed", data=body)
    if not response.ok:
        LOG.warning("the feed is late")
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("a", raised_by_the_caller)
channel.basic_consume("b", kept_below)
channel.basic_consume("c", raised_for_status)
channel.basic_consume("d", flag_that_is_asked)
channel.basic_consume("e", notice_beside_the_row)

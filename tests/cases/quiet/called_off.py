"""Somebody called the work off: to drop it is what was asked for."""
import logging

import pika

from ourjobs import JobAborted, TaskCancelled, TaskRevokedError, run


def on_job(channel, method, properties, body):
    try:
        run(body)
    except TaskCancelled:
        logging.info("called off")
    channel.basic_ack(method.delivery_tag)


def on_export(channel, method, properties, body):
    try:
        run(body)
    except JobAborted:
        logging.info("aborted by its owner")
    channel.basic_ack(method.delivery_tag)


def on_import(channel, method, properties, body):
    try:
        run(body)
    except TaskRevokedError as error:
        logging.info("revoked: %s", error)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("jobs", on_job)
channel.basic_consume("exports", on_export)
channel.basic_consume("imports", on_import)

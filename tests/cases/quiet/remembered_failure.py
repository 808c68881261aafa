"""The error is kept in a name, and what is done about it stands behind the `try`."""
import logging
import sys
import traceback

import pika

import ourjobs


def on_job(channel, method, properties, body):
    told = None
    try:
        ourjobs.run(body)
    except Exception as error:
        told = str(error)
        logging.exception("job failed")
    ourjobs.finish(properties.message_id, told)
    channel.basic_ack(method.delivery_tag)


def on_export(channel, method, properties, body):
    text = None
    try:
        ourjobs.export(body)
    except Exception:
        info = sys.exc_info()
        text = traceback.format_exception(*info)
        logging.error("export failed")
    finally:
        if text is not None or ourjobs.VERBOSE:
            ourjobs.close(properties.message_id, text)
    channel.basic_ack(method.delivery_tag)


def on_import(channel, method, properties, body):
    failure = None
    try:
        ourjobs.load(body)
    except ourjobs.Broken as error:
        failure = error
    if failure is not None and ourjobs.keeps(failure):
        ourjobs.keep(properties.message_id, failure)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("jobs", on_job)
channel.basic_consume("exports", on_export)
channel.basic_consume("imports", on_import)

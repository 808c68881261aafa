"""A helper answers with two values, and each is asked by itself."""
import logging

import pika

import ourjobs


def handle(body):
    success, again = True, True
    try:
        ourjobs.run(body)
    except ourjobs.TooOften:
        logging.exception("given up")
        success, again = False, False
    except Exception:
        logging.exception("failed")
        success = False
    return success, again


def attempt(body):
    try:
        ourjobs.run(body)
    except Exception:
        logging.exception("failed")
        return False, "failed"
    return True, ""


def on_job(channel, method, properties, body):
    success, again = handle(body)
    if success:
        channel.basic_ack(method.delivery_tag)
    else:
        channel.basic_nack(method.delivery_tag, requeue=again and not method.redelivered)


def on_task(channel, method, properties, body):
    done, _ = attempt(body)
    if not done:
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("jobs", on_job)
channel.basic_consume("tasks", on_task)

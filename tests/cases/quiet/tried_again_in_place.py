"""A loop goes round again after the failure, and ends once the answer is there."""
import logging
import time

import pika

import ourstore


def on_order(channel, method, properties, body):
    for _ in range(3):
        try:
            order = ourstore.get_order(body)
            break
        except OSError:
            time.sleep(1)
    else:
        raise RuntimeError("given up")
    logging.info("looked at %s", order)
    channel.basic_ack(method.delivery_tag)


def read(body):
    for pause in (1, 5, 25):
        try:
            return ourstore.get_answer(body)
        except (OSError, KeyError) as error:
            logging.warning("again: %s", error)
            time.sleep(pause)
    raise RuntimeError("given up")


def on_question(channel, method, properties, body):
    logging.info("read %s", read(body))
    channel.basic_ack(method.delivery_tag)


def on_invoice(channel, method, properties, body):
    for pause in (1, 5, 25):
        try:
            invoice = ourstore.find_invoice(body)
        except OSError:
            time.sleep(pause)
        else:
            break
    else:
        raise RuntimeError("given up")
    logging.info("seen %s", invoice)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)
channel.basic_consume("questions", on_question)
channel.basic_consume("invoices", on_invoice)

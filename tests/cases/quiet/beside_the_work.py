"""The work is stored already; what fails after it is a counter, a cache, a hint."""
import logging

import pika

import ourstore


def on_listen(channel, method, properties, body):
    ourstore.insert_listens(body)
    try:
        ourstore.count(body)
    except Exception:
        logging.exception("the counter lags")
    channel.basic_ack(method.delivery_tag)


def on_order(channel, method, properties, body):
    ourstore.insert(body)
    try:
        ourstore.warm(body)
    except (OSError, KeyError):
        logging.warning("not warmed")
    channel.basic_ack(method.delivery_tag)


def on_profile(channel, method, properties, body):
    ourstore.upsert_profile(body)
    try:
        ourstore.forget_page(body)
    except Exception as error:
        logging.error("old page stays: %s", error)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("listens", on_listen)
channel.basic_consume("orders", on_order)
channel.basic_consume("profiles", on_profile)

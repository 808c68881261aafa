"""Nothing is an answer here: one named outcome, a default, or a question that another test decides."""
import json
import logging

import pika

from orchard import harvest

LOG = logging.getLogger(__name__)
TREES = {"7": "pear"}


def tree(body):
    try:
        return TREES[json.loads(body)["tree"]]
    except KeyError:
        return None


def on_tree(channel, method, properties, body):
    found = tree(body)
    if found is None:
        channel.basic_ack(method.delivery_tag)
        return
    harvest.store(found)
    channel.basic_ack(method.delivery_tag)


def language(body):
    try:
        return json.loads(body)["language"]
    except Exception:
        LOG.warning("no language")
        return None


def on_note(channel, method, properties, body):
    told = language(body)
    if told is None:
        told = "en"
    harvest.store(told, body)
    channel.basic_ack(method.delivery_tag)


def pick(tree):
    try:
        return len(tree["apples"])
    except Exception:
        LOG.exception("not picked")
        return None


def on_row(channel, method, properties, body):
    left = []
    for found in json.loads(body):
        apples = pick(found)
        if apples is None:
            left.append(found)
    if left:
        channel.basic_publish("", "trees.left", json.dumps(left))
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("trees", on_tree)
channel.basic_consume("notes", on_note)
channel.basic_consume("rows", on_row)

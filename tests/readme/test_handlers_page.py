"""Every row of docs/handlers.md, tried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "handlers.md"

FOUND = {
    "registered as a callback": """
        import pika
        def on_order(channel, method, properties, body):
            save(body)
            channel.basic_ack(method.delivery_tag)
        pika.BlockingConnection().channel().basic_consume("orders", on_order)
        """,
    "library's decorator": """
        from celery import shared_task
        @shared_task
        def on_order(order):
            save(order)
        """,
    "method of a subclass": """
        import celery
        class Orders(celery.Task):
            def run(self, order):
                save(order)
        """,
    "set as a library's callback attribute": """
        import paho.mqtt.client as mqtt
        def on_message(client, userdata, message):
            save(message.payload)
        client = mqtt.Client()
        client.on_message = on_message
        """,
    "annotated": """
        import aio_pika
        async def on_order(message: aio_pika.IncomingMessage):
            await save(message.body)
            await message.ack()
        """,
    "the shape of one": """
        def handler(event, context):
            for record in event["Records"]:
                save(record["body"], record["receiptHandle"])
        """,
    "takes deliveries or settles": """
        import boto3
        sqs = boto3.client("sqs")
        def work():
            for message in sqs.receive_message(QueueUrl="q")["Messages"]:
                save(message["Body"])
                sqs.delete_message(QueueUrl="q", ReceiptHandle=message["ReceiptHandle"])
        """,
    "a decorator of yours": """
        from celery import Celery
        app = Celery("orders")
        def task(function):
            return app.task(function)
        @task
        def on_order(order):
            save(order)
        """,
    "a method, a partial, a lambda": """
        import functools, pika
        class Worker:
            def __init__(self, channel):
                channel.basic_consume("a", self.on_a)
                channel.basic_consume("b", functools.partial(on_b, self))
                channel.basic_consume("c", lambda c, m, p, body: save(body))
            def on_a(self, channel, method, properties, body):
                save(body)
        def on_b(worker, channel, method, properties, body):
            save(body)
        """,
}


def dedent(source: str) -> str:
    return re.sub(r"^ {8}", "", source, flags=re.MULTILINE)


@pytest.mark.parametrize("way", FOUND)
def test_handler_is_found(check, project, way):
    project.write("worker.py", dedent(FOUND[way]))
    ran = check("--no-cache", "--list-handlers", "worker.py")
    expected = 3 if way.startswith("a method") else 1
    assert len(ran.document["handlers"]) == expected


@pytest.mark.parametrize("way", [way for way in FOUND if not way.startswith("a ")])
def test_way_is_on_the_page(way):
    assert way in PAGE.read_text(encoding="utf-8")


WORKER = """
import json
import pika
import psycopg
import redis
import requests

store = redis.Redis()
database = psycopg.connect("orders", autocommit=True)

def on_order(channel, method, properties, body):
    order = json.loads(body)
    key = f"order:{{order['id']}}:charge"
    {look}
        requests.post("https://pay.example/charges", json=order)
    channel.basic_ack(method.delivery_tag)

pika.BlockingConnection().channel().basic_consume("orders", on_order)
"""

LEDGERS = {
    "setnx": "if store.set(key, 1, nx=True):",
    "select": 'if not database.execute("SELECT 1 FROM done WHERE k = %s", (key,)).fetchone():',
    "name": "if not already_sent(key):",
    "attribute": "if not order.is_processed:",
    "counted insert": (
        'row = database.execute("INSERT INTO done VALUES (%s) ON CONFLICT DO NOTHING", (key,))\n'
        "    if row.rowcount:"
    ),
    "caught insert": (
        "try:\n"
        '        database.execute("INSERT INTO done VALUES (%s)", (key,))\n'
        "    except psycopg.errors.UniqueViolation:\n"
        "        pass\n"
        "    else:"
    ),
}


@pytest.mark.parametrize("ledger", LEDGERS)
def test_a_look_at_the_ledger_is_found(check, project, ledger):
    project.write("worker.py", WORKER.format(look=LEDGERS[ledger]))
    assert check("--no-cache", "worker.py").found == []


def test_no_look_is_no_ledger(check, project):
    """Each test above can fail."""
    source = WORKER.format(look="if order:")
    project.write("worker.py", source)
    line = source.splitlines().index(
        '        requests.post("https://pay.example/charges", json=order)'
    )
    assert check("--no-cache", "worker.py").found == [("worker.py", line + 1, "CL401")]


@pytest.mark.parametrize(
    ("key", "codes"), [("order['id']", []), ("uuid.uuid4()", ["CL201"])], ids=["stable", "fresh"]
)
def test_an_idempotency_key_counts_if_it_is_the_same_each_time(check, project, key, codes):
    call = 'requests.post("https://pay.example/charges", json=order'
    keyed = call + f', headers={{"Idempotency-Key": str({key})}}'
    source = WORKER.format(look="if order:").replace(call, keyed)
    project.write("worker.py", f"import uuid\n{source}")
    assert sorted({code for _, _, code in check("--no-cache", "worker.py").found}) == codes


DECLARED = """
from shop import ledger, manual, store, mail
import pika

def on_order(channel, method, properties, body):
    {body}

pika.BlockingConnection().channel().basic_consume("orders", on_order)
"""

EVENTS = """
[events]
ledger_check = ["shop.ledger.seen"]
persist = ["shop.store.save"]
effect = ["shop.mail.deliver"]
quarantine = ["shop.manual.hold"]
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (["mail.deliver(body)", "channel.basic_ack(method.delivery_tag)"], ["CL401"]),
        (
            [
                "if not ledger.seen(body):",
                "    mail.deliver(body)",
                "channel.basic_ack(method.delivery_tag)",
            ],
            [],
        ),
        (["channel.basic_ack(method.delivery_tag)", "store.save(body)"], ["CL101"]),
        (
            [
                "try:",
                "    store.save(body)",
                "except Exception:",
                "    manual.hold(body)",
                "channel.basic_ack(method.delivery_tag)",
            ],
            [],
        ),
    ],
    ids=["effect", "ledger_check", "persist", "quarantine"],
)
def test_declared_names_count(check, project, body, codes):
    project.write("contractlint.toml", EVENTS)
    project.write("worker.py", DECLARED.format(body="\n    ".join(body)))
    assert [code for _, _, code in check("--no-cache", "worker.py").found] == codes


def test_the_first_delivery_class_that_fits_counts(check, project):
    project.write("shop/__init__.py")
    worker = DECLARED.format(body="channel.basic_ack(method.delivery_tag)\n    store.save(body)")
    project.write("shop/metrics.py", worker)
    for classes, found in [
        ('"shop.metrics.*" = "at-most-once"', 0),
        ('"on_order" = "at-most-once"', 0),
        ('"shop.metrics.on_order" = "at-least-once"\n"shop.metrics.*" = "at-most-once"', 1),
        ('"shop.views.*" = "at-most-once"', 1),
    ]:
        project.write("contractlint.toml", f"[handlers]\n{classes}\n")
        assert len(check("--no-cache", "shop").found) == found, classes

"""Every row of docs/handlers.md, tried."""

from __future__ import annotations

import re
from collections import Counter
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


@pytest.fixture
def codes_of(check, project):
    """Check many sources in one run and return the codes found in each."""

    def codes_of(sources: dict[str, str]) -> dict[str, list[str]]:
        files = {f"worker_{number}.py": name for number, name in enumerate(sources)}
        for file, name in files.items():
            project.write(file, sources[name])
        document = check("--no-cache", *files).document
        assert document["errors"] == []
        codes: dict[str, list[str]] = {name: [] for name in sources}
        for one in document["findings"]:
            codes[files[one["path"]]].append(one["code"])
        return codes

    return codes_of


def test_handlers_are_found(check, project):
    files = {f"worker_{number}.py": way for number, way in enumerate(FOUND)}
    for file, way in files.items():
        project.write(file, dedent(FOUND[way]))
    document = check("--no-cache", "--list-handlers", *files).document
    found = Counter(files[one["path"]] for one in document["handlers"])
    assert found == {way: 3 if way.startswith("a method") else 1 for way in FOUND}


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


def test_a_look_at_the_ledger_is_found(codes_of):
    codes = codes_of({name: WORKER.format(look=look) for name, look in LEDGERS.items()})
    assert codes == {name: [] for name in LEDGERS}


def test_no_look_is_no_ledger(codes_of):
    """The test above can fail."""
    assert codes_of({"none": WORKER.format(look="if order:")}) == {"none": ["CL401"]}


def test_an_idempotency_key_counts_if_it_is_the_same_each_time(codes_of):
    call = 'requests.post("https://pay.example/charges", json=order'
    sources = {}
    for key in ("order['id']", "uuid.uuid4()"):
        keyed = call + f', headers={{"Idempotency-Key": str({key})}}'
        sources[key] = "import uuid\n" + WORKER.format(look="if order:").replace(call, keyed)
    assert codes_of(sources) == {"order['id']": [], "uuid.uuid4()": ["CL201"]}


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
persist = ["shop.store.keep"]
effect = ["shop.mail.deliver"]
quarantine = ["shop.manual.hold"]
"""


ACK = "channel.basic_ack(method.delivery_tag)"


def declared(*lines: str) -> str:
    return DECLARED.format(body="\n    ".join(lines))


def test_declared_names_count(codes_of, project):
    project.write("contractlint.toml", EVENTS)
    sources = {
        "effect": declared("mail.deliver(body)", ACK),
        "ledger_check": declared("if not ledger.seen(body):", "    mail.deliver(body)", ACK),
        "persist": declared(ACK, "store.keep(body)"),
        "failure": declared("try:", "    store.keep(body)", "except Exception:", "    pass", ACK),
        "quarantine": declared(
            "try:", "    store.keep(body)", "except Exception:", "    manual.hold(body)", ACK
        ),
    }
    assert codes_of(sources) == {
        "effect": ["CL401"],
        "ledger_check": [],
        "persist": ["CL101"],
        "failure": ["CL104"],
        "quarantine": [],
    }


def test_the_first_delivery_class_that_fits_counts(check, project):
    project.write("shop/__init__.py")
    worker = declared(ACK, "store.keep(body)")
    project.write("shop/metrics.py", worker)
    for classes, found in [
        ('"shop.metrics.*" = "at-most-once"', 0),
        ('"on_order" = "at-most-once"', 0),
        ('"shop.metrics.on_order" = "at-least-once"\n"shop.metrics.*" = "at-most-once"', 1),
        ('"shop.views.*" = "at-most-once"', 1),
    ]:
        project.write("contractlint.toml", f"[handlers]\n{classes}\n")
        assert len(check("--no-cache", "shop").found) == found, classes


def test_names_that_are_taken_at_their_word(codes_of):
    calls = ("send_email", "charge_customer", "parse_order", "log_order", "frobnicate")
    codes = codes_of({call: declared(f"{call}(body)", ACK) for call in calls})
    assert {call for call in calls if codes[call] == ["CL401"]} == {"send_email", "charge_customer"}
    assert sum(map(len, codes.values())) == 2


def test_unknown_work_is_lost_by_an_early_acknowledgement(check, project):
    project.write("unknown.py", declared(ACK, "frobnicate(body)"))
    project.write("pure.py", declared(ACK, "parse_order(body)"))
    findings = check("--no-cache", ".").document["findings"]
    assert [(one["path"], one["code"], one["confidence"]) for one in findings] == [
        ("unknown.py", "CL101", "medium")
    ]

"""The proofs contractlint prints, carried out: what it says of a crash is what a crash does.

The workers are those of examples/ and tests/cases. They run in a process of their own against
RabbitMQ and PostgreSQL. Where a proof says "the process dies here", the process is killed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pika = pytest.importorskip("pika")
psycopg = pytest.importorskip("psycopg")
pytest.importorskip("aio_pika")
pytest.importorskip("httpx")
pytestmark = [pytest.mark.live, pytest.mark.usefixtures("amqp_url")]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
CHARGE = ROOT / "tests" / "cases" / "handlers" / "effect-without-ledger-check" / "charge"
WORKER = Path(__file__).with_name("worker.py")

# A worker that has come nowhere after so many seconds is stopped, and the test fails.
PATIENCE = 15

TABLES = """
CREATE TABLE orders (id text PRIMARY KEY, customer text, total int, state text DEFAULT 'open');
CREATE TABLE quarantine (
    message text PRIMARY KEY, reason text, payload_version text, attempts int, next_check text,
    body text
);
CREATE TABLE debits (fare text PRIMARY KEY, debit text);
"""


# ---- what contractlint says --------------------------------------------------------------------


@pytest.fixture
def findings(check, monkeypatch):
    """Return the findings in a file; what it imports is followed."""
    monkeypatch.chdir(ROOT)

    def findings(path: Path) -> list[dict]:
        document = check("--no-cache", str(path)).document
        assert document["errors"] == []
        return document["findings"]

    return findings


def text_at(path: Path, line: int) -> str:
    return path.read_text(encoding="utf-8").splitlines()[line - 1].strip()


def line_of(path: Path, text: str) -> int:
    """Return the only line that begins with a text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    [line] = [n for n, found in enumerate(lines, 1) if found.strip().startswith(text)]
    return line


def place_of_death(findings: list[dict], code: str) -> list[str]:
    """Return the worker's arguments that let it die where the proof says so."""
    [found] = [one for one in findings if one["code"] == code]
    steps = found["scenario"]
    crash = next(number for number, step in enumerate(steps) if step["event"] == "crash")
    assert steps[crash - 1]["line"] == found["line"], "the process dies after what is reported"
    return ["--after", str(found["line"]), str(found["end_line"])]


# ---- the world of the workers ------------------------------------------------------------------


class Provider(BaseHTTPRequestHandler):
    """A payment provider: answers a repeated idempotency key with the first charge."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        charges = self.server.charges
        key = self.headers.get("Idempotency-Key") or f"charge {len(charges) + 1}"
        charges.setdefault(key, json.loads(body))
        answer = json.dumps({"id": key}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@dataclass
class Shop:
    """Queues, a database and a payment provider for the workers of one test."""

    amqp: str
    database: str
    prefix: str
    charges: dict
    provider: str
    queues: list = field(default_factory=list)

    @cached_property
    def observer(self) -> pika.BlockingConnection:
        """A connection that declares, publishes and looks, and never consumes."""
        return pika.BlockingConnection(pika.URLParameters(self.amqp))

    @contextmanager
    def channel(self):
        channel = self.observer.channel()
        yield channel
        channel.close()

    def declare(self, *names: str, dead_letters: bool = True) -> None:
        arguments = {
            "x-dead-letter-exchange": "",
            "x-dead-letter-routing-key": f"{self.prefix}orders.dead",
        }
        if not dead_letters:
            arguments = {}
        self.queues += [*names, "orders.dead"]
        with self.channel() as channel:
            for name in names:
                channel.queue_declare(self.prefix + name, durable=True, arguments=arguments)
            channel.queue_declare(self.prefix + "orders.dead", durable=True)

    def delete(self) -> None:
        with self.channel() as channel:
            for name in self.queues:
                channel.queue_delete(self.prefix + name)
        self.observer.close()

    def publish(self, queue: str, body: str) -> None:
        with self.channel() as channel:
            channel.confirm_delivery()
            properties = pika.BasicProperties(message_id="m1")
            channel.basic_publish("", self.prefix + queue, body.encode(), properties)

    def state(self, queue: str) -> tuple[int, int]:
        """Return how many messages wait in a queue, and how many consumers it has."""
        with self.channel() as channel:
            answer = channel.queue_declare(self.prefix + queue, passive=True).method
            return answer.message_count, answer.consumer_count

    def rows(self, query: str) -> list[tuple]:
        with psycopg.connect(self.database) as database:
            return database.execute(query).fetchall()

    @contextmanager
    def worker(self, file: Path, *arguments: str):
        world = {
            "LIVE_QUEUES": self.prefix,
            "LIVE_PROVIDER": self.provider,
            "AMQP_URL": self.amqp,
            "DATABASE_URL": self.database,
        }
        worker = subprocess.Popen(
            [sys.executable, str(WORKER), str(file), *arguments],
            env={**os.environ, **world},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        patience = threading.Timer(PATIENCE, worker.kill)
        patience.start()
        try:
            yield worker
        finally:
            patience.cancel()
            worker.kill()
            worker.communicate()

    def killed(self, until, file: Path, *arguments: str, queue: str) -> int:
        """Kill a worker when it is there; return how many messages then wait in its queue."""
        with self.worker(file, *arguments) as worker:
            assert "here\n" in worker.stdout, worker.stderr.read()
        assert until(lambda: self.state(queue)[1] == 0), "the broker still sees the worker"
        return self.state(queue)[0]

    def done(self, until, file: Path, *, queue: str) -> None:
        """Let a worker run until it has acknowledged the message."""
        with self.worker(file) as worker:
            assert "acknowledged\n" in worker.stdout, worker.stderr.read()
            time.sleep(0.2)
        assert until(lambda: self.state(queue) == (0, 0)), "the message is still there"


@pytest.fixture
def shop(amqp_url: str, postgres_url: str, name: str):
    schema = name.replace("-", "_")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.charges = {}
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    database = f"{postgres_url}?options=-csearch_path%3D{schema}"
    provider = f"http://127.0.0.1:{server.server_port}"
    shop = Shop(amqp_url, database, f"{name}.", server.charges, provider)
    with psycopg.connect(postgres_url, autocommit=True, connect_timeout=3) as admin:
        admin.execute(f"CREATE SCHEMA {schema}")
        admin.execute(f"SET search_path TO {schema}; {TABLES}")
        try:
            yield shop
        finally:
            admin.execute(f"DROP SCHEMA {schema} CASCADE")
            shop.delete()
            server.shutdown()
            server.server_close()


# ---- CL101 -------------------------------------------------------------------------------------

ORDER = json.dumps({"id": "o1", "customer": "c1", "total": 5})
BROKEN_ORDERS = EXAMPLES / "broken" / "orders.py"
MENDED_ORDERS = EXAMPLES / "mended" / "orders.py"


def test_the_broken_order_worker_is_reported_and_the_mended_is_not(findings):
    found = [(one["code"], text_at(BROKEN_ORDERS, one["line"])) for one in findings(BROKEN_ORDERS)]
    assert found == [
        ("CL101", "channel.basic_ack(method.delivery_tag)"),
        ("CL301", "channel.basic_nack(method.delivery_tag)"),
    ]
    assert findings(MENDED_ORDERS) == []


def test_cl101_the_order_is_lost(shop, until, findings):
    """The worker dies where the proof says so: no message, no row, and a new worker has no work."""
    shop.declare("orders.created", "orders.cancelled")
    shop.publish("orders.created", ORDER)
    death = place_of_death(findings(BROKEN_ORDERS), "CL101")
    assert shop.killed(until, BROKEN_ORDERS, *death, queue="orders.created") == 0
    assert shop.rows("SELECT id FROM orders") == []
    assert shop.state("orders.dead") == (0, 0)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param("apply(json.loads(body))", id="before the order is stored"),
        pytest.param("self.database.execute(", id="just before the order is stored"),
        pytest.param("channel.basic_ack(", id="between the result and the acknowledgement"),
    ],
)
def test_the_mended_worker_may_die_anywhere(shop, until, place):
    """The message comes back, and in the end the order is there, once."""
    shop.declare("orders.created", "orders.cancelled")
    shop.publish("orders.created", ORDER)
    lines = MENDED_ORDERS.read_text(encoding="utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if text.strip().startswith(place))
    at = ["--before", str(line)]
    assert shop.killed(until, MENDED_ORDERS, *at, queue="orders.created") == 1
    shop.done(until, MENDED_ORDERS, queue="orders.created")
    assert shop.rows("SELECT id, customer, total FROM orders") == [("o1", "c1", 5)]


# ---- CL301 -------------------------------------------------------------------------------------


def deliveries(shop, file: Path, until) -> tuple[int, bool]:
    """Let a worker meet a message it cannot read."""
    shop.declare("orders.created", "orders.cancelled")
    shop.publish("orders.cancelled", "{not json")
    seen = []

    def count(worker) -> None:
        seen.extend(1 for line in worker.stderr if line.startswith("json.decoder.JSONDecodeError"))

    with shop.worker(file) as worker:
        counting = threading.Thread(target=count, args=(worker,))
        counting.start()
        settled = until(lambda: len(seen) > 50 or shop.state("orders.dead")[0])
        assert settled, "the worker did nothing"
        worker.kill()
        counting.join()
    assert until(lambda: shop.state("orders.cancelled")[1] == 0)
    return len(seen), shop.state("orders.cancelled")[0] == 1


def test_cl301_a_message_nobody_can_read_circles(shop, until):
    failures, still_there = deliveries(shop, BROKEN_ORDERS, until)
    assert failures > 50
    assert still_there


def test_the_mended_worker_sets_it_aside(shop, until):
    failures, still_there = deliveries(shop, MENDED_ORDERS, until)
    assert (failures, still_there) == (0, False)
    assert [row[0] for row in shop.rows("SELECT message FROM quarantine")] == ["m1"]


# ---- CL401 -------------------------------------------------------------------------------------

BROKEN_PAYMENTS = EXAMPLES / "broken" / "payments.py"
MENDED_PAYMENTS = EXAMPLES / "mended" / "payments.py"


def test_the_broken_payment_worker_is_reported_and_the_mended_is_not(findings):
    found = [
        (one["code"], text_at(BROKEN_PAYMENTS, one["line"])) for one in findings(BROKEN_PAYMENTS)
    ]
    assert found == [("CL401", "answer = await client.post(")]
    assert findings(MENDED_PAYMENTS) == []


@pytest.mark.parametrize(
    ("file", "charges"), [(BROKEN_PAYMENTS, 2), (MENDED_PAYMENTS, 1)], ids=["broken", "mended"]
)
def test_cl401_the_customer_is_charged_twice_unless_the_charge_has_a_key(
    shop, until, findings, file, charges
):
    """Both workers die after the charge, where the proof says so, and get the message again."""
    shop.declare("orders.confirmed", dead_letters=file == MENDED_PAYMENTS)
    shop.publish("orders.confirmed", ORDER)
    if file == BROKEN_PAYMENTS:
        death = place_of_death(findings(file), "CL401")
    else:
        death = ["--before", str(line_of(file, "answer.raise_for_status()"))]
    assert shop.killed(until, file, *death, queue="orders.confirmed") == 1
    assert len(shop.charges) == 1
    shop.done(until, file, queue="orders.confirmed")
    assert len(shop.charges) == charges


@pytest.mark.parametrize(
    ("case", "charges"), [("bad.py", 2), ("good.py", 1)], ids=["no ledger", "a ledger"]
)
def test_cl401_the_card_is_debited_twice_unless_the_ledger_is_asked(shop, until, case, charges):
    """Both workers die before they acknowledge."""
    file = CHARGE / case
    shop.declare("fares")
    shop.publish("fares", json.dumps({"id": "f1", "card": "c1", "cents": 250}))
    death = ["--before", str(line_of(file, "channel.basic_ack("))]
    assert shop.killed(until, file, *death, queue="fares") == 1
    assert len(shop.charges) == 1
    shop.done(until, file, queue="fares")
    assert len(shop.charges) == charges


def test_the_worker_without_a_ledger_is_reported_and_the_other_is_not(findings, tmp_path):
    """Checked elsewhere: the project's own settings leave the cases of its tests out."""
    bad, good = (Path(shutil.copy(CHARGE / case, tmp_path)) for case in ("bad.py", "good.py"))
    found = [(one["code"], one["line"]) for one in findings(bad)]
    assert found == [("CL401", line_of(bad, "self.http.post("))]
    assert findings(good) == []

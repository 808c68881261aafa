"""The world of the example workers: queues with one message, a database, and a provider."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol

import psycopg

from tests.live import worker
from tests.live.worker import Death, Reach

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.live.worker", *worker.LIBRARIES])
# A worker that has come nowhere after so many seconds is stopped, and the test fails.
PATIENCE = 15.0

# One message that every worker understands.
MESSAGE = {
    "id": "o1",
    "customer": "c1",
    "total": 5,
    "address": "a1",
    "page": "/shirts",
    "card": "k1",
    "cents": 500,
}
TABLES = """
CREATE TABLE orders (id text PRIMARY KEY, customer text, total int, state text DEFAULT 'open');
CREATE TABLE quarantine (
    message text PRIMARY KEY, reason text, payload_version text, attempts int, next_check text,
    body text
);
CREATE TABLE effects (key text PRIMARY KEY, outcome text);
CREATE TABLE debits (fare text PRIMARY KEY, debit text);
CREATE TABLE invoices (order_id text PRIMARY KEY, total int);
CREATE TABLE packed_orders (id text PRIMARY KEY, address text);
CREATE TABLE shipments (order_id text, address text);
"""
RESULTS = ("orders", "effects", "debits", "invoices", "shipments")
# A stream and its group, which no table of handlers tells.
STREAM, GROUP = "parcels.returned", "refunds"
COUNTS = "views"


def until(condition: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Wait for a condition; return whether it came true."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


# ---- the queues --------------------------------------------------------------------------------


class Queue(Protocol):
    """A queue of a broker, with at most one message."""

    def put(self, message: dict) -> None: ...

    def is_empty(self) -> bool:
        """Has the broker forgotten the message? Asked when no worker lives."""

    def is_settled_by(self, started: Started) -> bool:
        """Has a worker that lives acknowledged the message?"""

    def delete(self) -> None: ...


@dataclass
class RabbitQueue:
    """`others` are queues that the worker expects beside its own."""

    reach: Reach
    name: str
    others: tuple[str, ...] = ()

    DEAD = "orders.dead"

    def __post_init__(self) -> None:
        import pika

        self.properties = pika.BasicProperties(message_id="m1")
        self.observer = pika.BlockingConnection(pika.URLParameters(self.reach.amqp))
        self.channel = self.observer.channel()
        self.channel.confirm_delivery()
        self.names = [self.reach.prefix + name for name in {self.name, *self.others, self.DEAD}]
        dead = {
            "x-dead-letter-exchange": "",
            "x-dead-letter-routing-key": self.reach.prefix + self.DEAD,
        }
        for name in self.names:
            self.channel.queue_declare(name, arguments={} if name.endswith(self.DEAD) else dead)

    def put(self, message: dict) -> None:
        self.put_bytes(json.dumps(message).encode())

    def put_bytes(self, body: bytes) -> None:
        self.channel.basic_publish("", self.reach.prefix + self.name, body, self.properties)

    def state(self, name: str) -> tuple[int, int]:
        """Return how many messages wait in a queue, and how many consumers it has."""
        answer = self.channel.queue_declare(self.reach.prefix + name, passive=True).method
        return answer.message_count, answer.consumer_count

    def is_empty(self) -> bool:
        assert until(lambda: self.state(self.name)[1] == 0), "RabbitMQ still sees the worker"
        return self.state(self.name)[0] == 0

    def is_settled_by(self, started: Started) -> bool:
        return started.says("acknowledged")

    def delete(self) -> None:
        for name in self.names:
            self.channel.queue_delete(name)
        self.observer.close()


@dataclass
class RedisStream:
    reach: Reach

    def __post_init__(self) -> None:
        import redis

        self.server = redis.Redis.from_url(self.reach.redis, decode_responses=True)
        self.name = self.reach.prefix + STREAM
        self.server.xgroup_create(self.name, GROUP, mkstream=True)

    def put(self, message: dict) -> None:
        self.server.xadd(self.name, {"order": json.dumps(message)})

    def is_empty(self) -> bool:
        [group] = self.server.xinfo_groups(self.name)
        return group["lag"] == 0 and group["pending"] == 0

    def is_settled_by(self, started: Started) -> bool:
        return self.is_empty()

    def delete(self) -> None:
        self.server.delete(self.name)
        self.server.close()


@dataclass
class JetStream:
    """`ack_wait` is short, for the second worker has to wait so long."""

    reach: Reach
    name: str

    DURABLE, ACK_WAIT = "invoices", 1.0

    def __post_init__(self) -> None:
        from nats.js.api import ConsumerConfig

        self.stream = self.reach.prefix.rstrip(".")
        subject = self.reach.prefix + self.name
        config = ConsumerConfig(
            durable_name=self.DURABLE, filter_subject=subject, ack_wait=self.ACK_WAIT
        )

        async def create(js) -> None:
            await js.add_stream(name=self.stream, subjects=[subject])
            await js.add_consumer(self.stream, config)

        self._ask(create)

    def _ask(self, question: Callable) -> object:
        import nats

        async def ask() -> object:
            client = await nats.connect(self.reach.nats, connect_timeout=2)
            try:
                return await question(client.jetstream())
            finally:
                await client.close()

        return asyncio.run(ask())

    def put(self, message: dict) -> None:
        self._ask(
            lambda js: js.publish(self.reach.prefix + self.name, json.dumps(message).encode())
        )

    def is_empty(self) -> bool:
        info = self._ask(lambda js: js.consumer_info(self.stream, self.DURABLE))
        return info.num_pending == 0 and info.num_ack_pending == 0

    def is_settled_by(self, started: Started) -> bool:
        return self.is_empty()

    def delete(self) -> None:
        self._ask(lambda js: js.delete_stream(self.stream))


@dataclass
class TableQueue:
    reach: Reach
    name: str

    def put(self, message: dict) -> None:
        with psycopg.connect(self.reach.database) as database:
            row = (message["id"], message["address"])
            database.execute(f"INSERT INTO {self.name} (id, address) VALUES (%s, %s)", row)

    def is_empty(self) -> bool:
        with psycopg.connect(self.reach.database) as database:
            return database.execute(f"SELECT count(*) FROM {self.name}").fetchone() == (0,)

    def is_settled_by(self, started: Started) -> bool:
        return self.is_empty()

    def delete(self) -> None:
        """The table goes with its schema."""


# ---- the provider ------------------------------------------------------------------------------


class Provider(BaseHTTPRequestHandler):
    """What workers call: does what it is asked, and answers a repeated key with the first answer.

    Before or after it has done so, it may let the caller die without an answer.
    """

    def do_POST(self) -> None:
        provider: Outside = self.server.outside
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if provider.kills == "before":
            return self._kill(provider)
        key = self.headers.get("Idempotency-Key") or f"request {len(provider.done) + 1}"
        provider.done.setdefault(key, f"{self.path} {body}")
        if provider.kills == "after":
            return self._kill(provider)
        answer = json.dumps({"id": key}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        return None

    def _kill(self, provider: Outside) -> None:
        provider.kills = ""
        provider.caller.kill()
        self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@dataclass
class Outside:
    """What the outside has done, by its key, and whether it lets `caller` die."""

    done: dict[str, str] = field(default_factory=dict)
    kills: str = ""
    caller: BaseProcess | None = None


@contextmanager
def provider(outside: Outside) -> Iterator[str]:
    """Run a provider; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.outside = outside
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


# ---- the shop ----------------------------------------------------------------------------------

Facts = Counter


@dataclass
class Shop:
    """A queue, a database and an outside, for the workers of one test."""

    reach: Reach
    outside: Outside
    folder: Path
    queue: Queue | None = None

    def facts(self) -> Facts:
        """Return all that can be seen of the work: what was done outside, and what is stored."""
        return Counter(("outside", what) for what in self.outside.done.values()) + self.stored()

    def stored(self) -> Facts:
        facts: Facts = Counter()
        with psycopg.connect(self.reach.database) as database:
            for table in RESULTS:
                facts.update((table, row) for row in database.execute(f"SELECT * FROM {table}"))
        facts.update(("counts", pair) for pair in self._redis.hgetall(self._counts).items())
        return facts

    def set_aside(self) -> list[str]:
        """Return why messages wait for a person."""
        with psycopg.connect(self.reach.database) as database:
            return [row[0] for row in database.execute("SELECT reason FROM quarantine")]

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.reach.database) as database:
            database.execute(statement)

    @cached_property
    def _redis(self):
        import redis

        return redis.Redis.from_url(self.reach.redis, decode_responses=True)

    @property
    def _counts(self) -> str:
        return self.reach.prefix + COUNTS

    def close(self) -> None:
        if self.queue is not None:
            self.queue.delete()
        self._redis.delete(self._counts)
        self._redis.close()

    @contextmanager
    def worker(self, file: Path, death: Death | None = None) -> Iterator[Started]:
        """Start a worker; kill it in the end."""
        ours, theirs = FORKS.Pipe(duplex=False)
        errors = self.folder / f"errors-{time.monotonic_ns()}"
        arguments = (file, self.reach, death, theirs, errors)
        process = FORKS.Process(target=worker.run, args=arguments, daemon=True)
        process.start()
        theirs.close()
        try:
            yield Started(process, ours, errors)
        finally:
            process.kill()
            process.join()
            ours.close()

    def kill_after(self, file: Path, death: Death) -> None:
        """Kill a worker when it has done a step."""
        with self.worker(file, death) as started:
            assert until(lambda: started.says("here")), (
                f"never came to {death}: {started.complaints()}"
            )

    def kill_during(self, file: Path, kills: str) -> None:
        """Let the outside kill a worker that waits for an answer."""
        with self.worker(file) as started:
            self.outside.caller, self.outside.kills = started.process, kills
            started.process.join(PATIENCE)
            assert started.process.exitcode == -9, started.complaints()


@dataclass
class Started:
    """A worker that runs."""

    process: BaseProcess
    told: Connection
    errors: Path
    heard: set[str] = field(default_factory=set)

    def says(self, word: str) -> bool:
        """Has the worker said so?"""
        try:
            while self.told.poll():
                self.heard.add(self.told.recv())
        except EOFError:
            pass
        return word in self.heard

    def complaints(self) -> str:
        return self.errors.read_text() if self.errors.exists() else "nothing was said"


@contextmanager
def open_shop(reach: Reach, folder: Path) -> Iterator[Shop]:
    """Open a shop whose tables are in a schema named after its prefix."""
    schema = reach.prefix.rstrip(".").replace("-", "_")
    database = f"{reach.database}?options=-csearch_path%3D{schema}"
    outside = Outside()
    with (
        psycopg.connect(reach.database, autocommit=True, connect_timeout=3) as admin,
        provider(outside) as address,
    ):
        admin.execute(f"CREATE SCHEMA {schema}")
        admin.execute(f"SET search_path TO {schema}; {TABLES}")
        there = Reach(reach.prefix, address, reach.amqp, reach.redis, reach.nats, database)
        shop = Shop(there, outside, folder)
        try:
            yield shop
        finally:
            shop.close()
            admin.execute(f"DROP SCHEMA {schema} CASCADE")

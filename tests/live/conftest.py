"""Brokers that run on this machine, and what happens to a message of theirs.

A test here holds a piece of source that is used twice: it is run against the broker, and read by
contractlint. What the broker did with the message has to be what the vocabulary says:

    ack       the message is gone
    reject    the message is gone, or with the dead letters if the queue has them
    requeue   the message is delivered again, at once
    ""        nothing: the message is the consumer's until its connection ends, then it comes back
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from contractlint.code.analysis import CheckedFile
from contractlint.code.modules import Project
from contractlint.events import Event, EventGraph
from contractlint.vocabulary import load_vocabulary

SETTLED = frozenset({"ack", "reject", "requeue", "retry", "quarantine", "dead_letter"})
# How long a message may take to come back before it counts as not coming back. Who expects it waits
# longer, so that a slow machine makes a test slow and not wrong.
MOMENT, PATIENCE = 0.25, 4.0


def address(variable: str, default: str, name: str) -> str:
    """Return the address of a broker, or skip if nothing answers there."""
    url = os.environ.get(variable, default)
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=1).close()
    except OSError as error:
        pytest.skip(f"no {name} at {parts.hostname}:{parts.port} ({error})")
    return url


@pytest.fixture(scope="session")
def amqp_url() -> str:
    return address("LIVE_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2F", "RabbitMQ")


@pytest.fixture(scope="session")
def redis_url() -> str:
    return address("LIVE_REDIS_URL", "redis://127.0.0.1:6379/0", "Redis")


@pytest.fixture(scope="session")
def nats_url() -> str:
    return address("LIVE_NATS_URL", "nats://127.0.0.1:4222", "NATS")


@pytest.fixture(scope="session")
def postgres_url() -> str:
    return address("LIVE_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/test", "PostgreSQL")


@pytest.fixture
def name() -> str:
    """A name nobody else has."""
    return f"contractlint-live-{uuid.uuid4().hex[:12]}"


def until(condition: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Wait for a condition; return whether it came true."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture(name="until")
def _until():
    return until


# ---- what contractlint says --------------------------------------------------------------------


@pytest.fixture(scope="session")
def vocabulary():
    return load_vocabulary(())


@dataclass
class Snippet:
    """A piece of source, as it is run and as it is read.

    A handler that is both registered and annotated has two graphs.
    """

    names: dict
    graphs: dict[str, list[EventGraph]]

    def events(self, handler: str = "on_message", among: frozenset[str] = SETTLED) -> list[Event]:
        """Return the first event of these kinds on each way through a handler."""
        assert handler in self.graphs, f"handlers: {sorted(self.graphs)}"
        return [event for graph in self.graphs[handler] for event in first_events(graph, among)]

    def says(self, handler: str = "on_message", *, fails: bool = True) -> set[str]:
        """Return how a delivery can be settled; without `fails`, if the handler returns."""
        events = self.events(handler)
        return {event.kind for event in events if fails or event["outcome"] != "failed"}


def first_events(graph: EventGraph, among: frozenset[str]) -> Iterator[Event]:
    waiting, seen = [0], {0}
    while waiting:
        node = waiting.pop()
        event = graph.events[node]
        if event is not None and event.kind in among:
            yield event
            continue
        new = {edge.target for edge in graph.edges[node]} - seen
        seen |= new
        waiting.extend(new)


@pytest.fixture
def snippet(tmp_path: Path, vocabulary):
    def snippet(source: str) -> Snippet:
        file = tmp_path / "app.py"
        file.write_text(source, encoding="utf-8")
        project = Project(tmp_path.resolve(), (".",))
        graphs = CheckedFile("app.py", file, source.encode(), project, vocabulary).graphs()
        names: dict = {"__name__": "app"}
        exec(compile(source, str(file), "exec"), names)
        named: dict[str, list[EventGraph]] = {}
        for one in graphs:
            named.setdefault(one.name, []).append(one.graph)
        return Snippet(names, named)

    return snippet


# ---- RabbitMQ ----------------------------------------------------------------------------------


@dataclass
class Calls:
    """Counts the deliveries a handler is given; the second one it is not given any more."""

    handler: Callable
    bodies: list = field(default_factory=list)

    def blocking(self, *arguments, **keywords):
        self.bodies.append(arguments[-1])
        return self.handler(*arguments, **keywords) if len(self.bodies) == 1 else None

    async def waiting(self, *arguments, **keywords):
        self.bodies.append(arguments[-1:])
        return await self.handler(*arguments, **keywords) if len(self.bodies) == 1 else None

    @property
    def came_back(self) -> bool:
        return len(self.bodies) > 1


@dataclass
class Rabbit:
    """A queue with one message in it, and a second queue for its dead letters."""

    url: str
    queue: str
    pika: object

    @property
    def dead_letters(self) -> str:
        return f"{self.queue}.dead"

    @contextmanager
    def channel(self):
        connection = self.pika.BlockingConnection(self.pika.URLParameters(self.url))
        try:
            yield connection.channel()
        finally:
            if connection.is_open:
                connection.close()

    @cached_property
    def observer(self):
        """A connection that declares, publishes and looks, and never consumes."""
        return self.pika.BlockingConnection(self.pika.URLParameters(self.url))

    def declare(self) -> None:
        arguments = {
            "x-dead-letter-exchange": "",
            "x-dead-letter-routing-key": self.dead_letters,
        }
        channel = self.observer.channel()
        channel.queue_declare(self.queue, arguments=arguments)
        channel.queue_declare(self.dead_letters)

    def delete(self) -> None:
        channel = self.observer.channel()
        channel.queue_delete(self.queue)
        channel.queue_delete(self.dead_letters)
        self.observer.close()

    def publish(self, body: str = "1", **properties) -> None:
        channel = self.observer.channel()
        channel.confirm_delivery()
        properties = self.pika.BasicProperties(**properties)
        channel.basic_publish("", self.queue, body.encode(), properties)
        channel.close()

    def state(self, queue: str = "") -> tuple[int, int]:
        """Return how many messages wait in a queue, and how many consumers it has."""
        channel = self.observer.channel()
        answer = channel.queue_declare(queue or self.queue, passive=True).method
        channel.close()
        return answer.message_count, answer.consumer_count

    def left(self) -> int:
        """Return how many messages are in the queue when the last consumer is gone."""
        assert until(lambda: self.state()[1] == 0), "the consumer does not go away"
        return self.state()[0]

    def fate(self, calls: Calls | None = None) -> str:
        """Return what became of the message, after the consumer's connection was closed."""
        if calls is not None and calls.came_back:
            return "requeue"
        if self.left():
            return ""
        return "reject" if until(lambda: self.state(self.dead_letters)[0], MOMENT) else "ack"


@pytest.fixture
def rabbit(amqp_url: str, name: str):
    rabbit = Rabbit(amqp_url, name, pytest.importorskip("pika"))
    rabbit.declare()
    yield rabbit
    rabbit.delete()


@pytest.fixture
def calls():
    """Replace the handler of a snippet by one that counts, and return the count."""

    def calls(snippet: Snippet, handler: str = "on_message", *, asynchronous: bool = False):
        counted = Calls(snippet.names[handler])
        snippet.names[handler] = counted.waiting if asynchronous else counted.blocking
        return counted

    return calls


@pytest.fixture
def patience():
    """How long to wait for a second delivery, given what is expected of the message."""

    def patience(fate: str) -> float:
        return PATIENCE if fate == "requeue" else MOMENT

    return patience

"""A worker of the examples in a process of its own, which stops at a step as if it died there.

The worker is not changed. Its queues and keys get a prefix, so that it meets no others, and what it
calls, stores and declares is that of the test. When the step is done, the process says "here" and
waits to be killed: what was sent until then is with the broker.
"""

from __future__ import annotations

import ast
import asyncio
import dis
import importlib.util
import inspect
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

# Imported once; each worker is a fork of a process that has them.
LIBRARIES = ["aio_pika", "httpx", "nats", "pika", "psycopg", "redis"]


@dataclass(frozen=True)
class Reach:
    """Where a worker finds its world; `prefix` is put before the names of queues and keys."""

    prefix: str
    provider: str
    amqp: str
    redis: str
    nats: str
    database: str


@dataclass(frozen=True)
class Death:
    """The step after which a worker stops: the event at a line, counted from 1."""

    path: Path
    line: int
    event: str


# ---- where it stops ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Span:
    """Lines of a step. It is done when one of `within` was reached and then one of `after`.

    Without `after` any other line will do, or the end of the function.
    """

    within: range
    after: range = range(0)


def span_of(death: Death) -> Span:
    """Return the lines of the innermost statement at a step."""
    tree = ast.parse(death.path.read_text(encoding="utf-8"))
    statements = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= death.line <= (node.end_lineno or 0)
    ]
    node = max(statements, key=lambda node: node.lineno)
    whole = range(node.lineno, (node.end_lineno or 0) + 1)
    if isinstance(node, (ast.With, ast.AsyncWith)) and death.event != "receive":
        return Span(whole)  # a block acknowledges and commits at its end
    if isinstance(node, (ast.For, ast.AsyncFor)):
        body = range(node.body[0].lineno, whole.stop)
        return Span(range(node.lineno, body.start), body)  # a loop without a turn received nothing
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return Span(range(node.lineno, node.body[0].lineno), whole)
    header = getattr(node, "body", None)
    return Span(range(node.lineno, header[0].lineno) if header else whole)


class Tracer:
    """Stops when the lines of a step have been executed."""

    def __init__(self, path: Path, span: Span, stop: Callable[[], None]) -> None:
        self.file = str(path)
        self.span = span
        self.stop = stop
        self.inside: set[FrameType] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> Callable | None:
        if event == "call" and frame.f_code.co_filename != self.file:
            return None
        if frame.f_lineno in self.span.within and event in ("call", "line"):
            self.inside.add(frame)
        elif frame in self.inside and self._has_left(frame, event):
            self.stop()
        return self

    def _has_left(self, frame: FrameType, event: str) -> bool:
        if event == "line":
            return not self.span.after or frame.f_lineno in self.span.after
        # A coroutine that waits "returns" as well, and so does what is left by an exception.
        last = dis.opname[frame.f_code.co_code[frame.f_lasti]]
        return event == "return" and last.startswith("RETURN") and not self.span.after


# ---- its world ---------------------------------------------------------------------------------


def prefixed(owner: type, method: str, prefix: str, **fixed: object) -> None:
    """Put the prefix before the first argument of a method, the name of a queue or a key."""
    original = getattr(owner, method)

    def call(self: object, name: str, *positional: object, **keywords: object) -> object:
        return original(self, prefix + name, *positional, **{**keywords, **fixed})

    setattr(owner, method, call)


def redirect_rabbit(reach: Reach, tell: Callable[[str], None]) -> None:
    from aio_pika.message import IncomingMessage
    from aio_pika.robust_channel import RobustChannel
    from pika.adapters.blocking_connection import BlockingChannel

    os.environ["AMQP_URL"] = reach.amqp
    prefixed(BlockingChannel, "basic_consume", reach.prefix)
    basic_ack = BlockingChannel.basic_ack

    def told(*arguments: object, **keywords: object) -> None:
        basic_ack(*arguments, **keywords)
        tell("acknowledged")

    BlockingChannel.basic_ack = told
    # The queues are there, with the arguments of the test.
    for owner, method in ((BlockingChannel, "queue_declare"), (RobustChannel, "declare_queue")):
        prefixed(owner, method, reach.prefix, passive=True, arguments=None)
    ack = IncomingMessage.ack

    async def sent(self: IncomingMessage, *arguments: object, **keywords: object) -> None:
        await ack(self, *arguments, **keywords)
        await self.channel.basic_qos()  # an answer means that the acknowledgement has arrived
        tell("acknowledged")

    IncomingMessage.ack = sent


def redirect_redis(reach: Reach) -> None:
    import redis

    os.environ["REDIS_URL"] = reach.redis
    init, read = redis.Redis.__init__, redis.Redis.xreadgroup

    def here(self: redis.Redis, *positional: object, **keywords: object) -> None:
        init(self, *positional, **(keywords or redis.connection.parse_url(reach.redis)))

    def xreadgroup(self: redis.Redis, group: str, me: str, streams: dict, **keywords: object):
        streams = {reach.prefix + name: position for name, position in streams.items()}
        return read(self, group, me, streams, **keywords)

    redis.Redis.__init__, redis.Redis.xreadgroup = here, xreadgroup
    for method in ("xack", "hincrby"):
        prefixed(redis.Redis, method, reach.prefix)


def redirect_nats(reach: Reach) -> None:
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

    os.environ["NATS_URL"] = reach.nats
    prefixed(JetStreamContext, "pull_subscribe", reach.prefix)
    ack = Msg.ack

    async def sent(self: Msg) -> None:
        await ack(self)
        await self._client.flush()

    Msg.ack = sent


def redirect_provider(reach: Reach) -> None:
    import httpx

    for kind in (httpx.Client, httpx.AsyncClient):
        original = kind.__init__

        def init(self: object, *, base_url: str, original: Callable = original, **keywords: object):
            original(self, base_url=reach.provider, **keywords)

        kind.__init__ = init


def redirect_database(reach: Reach) -> None:
    import psycopg

    os.environ["DATABASE_URL"] = reach.database
    original = psycopg.connect
    psycopg.connect = lambda dsn, **keywords: original(reach.database, **keywords)


REDIRECTS = (redirect_redis, redirect_nats, redirect_provider, redirect_database)


# ---- its life ----------------------------------------------------------------------------------


def load(file: Path) -> Callable:
    """Import a worker and return what starts it: its `main`, or the class that listens."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location("worker", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "main", None) or module.Till


def run(file: Path, reach: Reach, death: Death | None, told: Connection, errors: Path) -> None:
    """Be a worker. Its standard error goes to the file `errors`."""
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
    redirect_rabbit(reach, told.send)
    for redirect in REDIRECTS:
        redirect(reach)
    start = load(file)

    def stop() -> None:
        told.send("here")
        time.sleep(60)

    if death is not None:
        sys.settrace(Tracer(death.path, span_of(death), stop))
    asyncio.run(start()) if inspect.iscoroutinefunction(start) else start()

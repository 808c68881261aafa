"""Run a worker of the examples, and stop it at a line as if it had died there.

    python worker.py FILE [--after LINE | --before LINE]

The worker is not changed. Its queues get the prefix of $LIVE_QUEUES, so that it meets no others,
and the payment provider it calls is that of $LIVE_PROVIDER. "acknowledged" is printed after each
acknowledgement. When the line is reached, "here" is printed, and the process waits to be killed:
what was sent is then at the broker.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import inspect
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

PREFIX = os.environ["LIVE_QUEUES"]
# Arguments of methods that name a queue.
QUEUE_ARGUMENTS = ("x-dead-letter-routing-key",)


def stop() -> None:
    print("here", flush=True)
    time.sleep(60)


class Tracer:
    """Stops when a line of a file is reached, or when the statement on it has been executed."""

    def __init__(self, file: str, before: int, after: range) -> None:
        self.file = file
        self.before = before
        self.after = after
        self.inside: set[FrameType] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> Callable | None:
        if event == "call":
            return self if frame.f_code.co_filename == self.file else None
        if event == "line" and frame.f_lineno == self.before:
            stop()
        self._watch(frame, event)
        return self

    def _watch(self, frame: FrameType, event: str) -> None:
        if event == "line" and frame.f_lineno in self.after:
            self.inside.add(frame)
        elif frame in self.inside and self._has_left(frame, event):
            stop()

    def _has_left(self, frame: FrameType, event: str) -> bool:
        if event == "line":
            return True
        # A coroutine "returns" each time it waits.
        return event == "return" and not frame.f_code.co_flags & 0x80


def prefixed(method: Callable) -> Callable:
    """Return a method whose first argument, the name of a queue, gets the prefix."""

    def call(self: object, queue: str, *positional: object, **keywords: object) -> object:
        arguments = keywords.get("arguments")
        if isinstance(arguments, dict):
            keywords["arguments"] = {
                key: PREFIX + value if key in QUEUE_ARGUMENTS else value
                for key, value in arguments.items()
            }
        return method(self, PREFIX + queue, *positional, **keywords)

    return call


def redirect_queues() -> None:
    from aio_pika.robust_channel import RobustChannel
    from pika.adapters.blocking_connection import BlockingChannel

    for owner, methods in (
        (BlockingChannel, ("queue_declare", "basic_consume")),
        (RobustChannel, ("declare_queue",)),
    ):
        for method in methods:
            setattr(owner, method, prefixed(getattr(owner, method)))


def tell_acknowledgements() -> None:
    from aio_pika.message import IncomingMessage
    from pika.adapters.blocking_connection import BlockingChannel

    basic_ack, ack = BlockingChannel.basic_ack, IncomingMessage.ack

    def blocking(*arguments: object, **keywords: object) -> None:
        basic_ack(*arguments, **keywords)
        print("acknowledged", flush=True)

    async def waiting(*arguments: object, **keywords: object) -> None:
        await ack(*arguments, **keywords)
        print("acknowledged", flush=True)

    BlockingChannel.basic_ack, IncomingMessage.ack = blocking, waiting


def redirect_provider() -> None:
    import httpx

    provider = os.environ.get("LIVE_PROVIDER", "")
    for kind in (httpx.Client, httpx.AsyncClient):
        original = kind.__init__

        def init(self: object, *, base_url: str, original: Callable = original, **keywords: object):
            original(self, base_url=provider, **keywords)

        kind.__init__ = init


def redirect_database() -> None:
    import psycopg

    original = psycopg.connect
    psycopg.connect = lambda dsn, **keywords: original(os.environ["DATABASE_URL"], **keywords)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--before", type=int, default=0)
    parser.add_argument("--after", type=int, nargs=2, default=(0, 0))
    options = parser.parse_args()
    redirect_queues()
    tell_acknowledgements()
    redirect_provider()
    redirect_database()
    file = str(options.file.resolve())
    sys.path.insert(0, str(options.file.resolve().parent))
    spec = importlib.util.spec_from_file_location("worker", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    first, last = options.after
    sys.settrace(Tracer(file, options.before, range(first, last + 1)))
    start = getattr(module, "main", None) or module.Till
    asyncio.run(start()) if inspect.iscoroutinefunction(start) else start()


if __name__ == "__main__":
    main()

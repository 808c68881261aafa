"""Taken is acknowledged: of a message that cannot be read a log line is all that is left."""

import pytest

from contractlint.engine import EngineSettings, check_source

SETTINGS = EngineSettings(frozenset({"CL104"}), {}, (), (), {}, ())
POPPED = """\
import json
import logging
import redis
from well import buckets

queue = redis.Redis()

def take_one():
    popped = queue.blpop("pails", timeout=1)
    if popped is None:
        return
    try:
        pail = json.loads(popped[1])
    except {error}:
        {then}
    buckets.fill(pail)
"""
PUSHED = """\
import json
import logging
import pika
from well import buckets

def take(channel, method, properties, body):
    try:
        pail = json.loads(body)
    except {error}:
        {then}
    buckets.fill(pail)

channel = pika.BlockingConnection().channel()
channel.basic_consume("pails", take, auto_ack=True)
"""
FINALLY = """\
import json
import logging
import redis

class Worker:
    queue = redis.Redis()

    def read(self):
        try:
            popped = self.queue.blpop("pails", timeout=1)
            if popped is None:
                return {{"event": "none"}}
            return json.loads(popped[1])
        except {error}:
            {then}
        finally:
            logging.info("read")
        return {{"event": "none"}}
"""


@pytest.fixture
def lines(tmp_path):
    def lines(text: str) -> list[int]:
        result = check_source(str(tmp_path / "app.py"), text.encode(), SETTINGS, str(tmp_path))
        assert result.handlers
        assert not result.problems
        return [finding.line for finding in result.findings]

    return lines


@pytest.mark.parametrize(
    ("text", "then", "line"),
    [
        (POPPED, 'logging.exception("unreadable"); return', 14),
        (PUSHED, "print(body); return", 9),
        (FINALLY, "logging.exception('unreadable')", 14),
    ],
)
@pytest.mark.parametrize("error", ["ValueError", "(json.JSONDecodeError, KeyError)"])
def test_it_is_found(lines, text, error, then, line):
    assert lines(text.format(error=error, then=then)) == [line]


@pytest.mark.parametrize(
    ("text", "then"),
    [
        (POPPED, "pail = {}"),
        (POPPED, 'queue.rpush("unreadable", popped[1]); return'),
        (POPPED, "raise"),
        (PUSHED, "pail = None"),
        (PUSHED, "buckets.keep(body); return"),
    ],
)
def test_a_default_a_record_and_a_raise_are_not(lines, text, then):
    assert lines(text.format(error="ValueError", then=then)) == []

"""rules/libraries/redis-queues.toml and redis.toml against Redis."""

from __future__ import annotations

from contextlib import suppress

import pytest

redis = pytest.importorskip("redis")
pytestmark = pytest.mark.live

GROUP, ME = "group", "me"


@pytest.fixture
def server(redis_url: str, name: str):
    with redis.Redis.from_url(redis_url, decode_responses=True) as server:
        yield server
        keys = list(server.scan_iter(f"{name}*"))
        if keys:
            server.delete(*keys)


@pytest.fixture
def stream(server, name: str) -> str:
    """A stream with one entry that nobody has read."""
    server.xgroup_create(name, GROUP, mkstream=True)
    server.xadd(name, {"number": 1})
    return name


def pending(server, stream: str) -> int:
    return server.xpending(stream, GROUP)["pending"]


def read_by(options: str, body: str) -> str:
    return f"""
import redis

def work(server: redis.Redis, stream):
    answer = server.xreadgroup("group", "me", {{stream: ">"}}{options})
    for name, entries in dict(answer).items():
        for entry, fields in entries:
            {body}
"""


@pytest.mark.parametrize(
    ("options", "body", "fate"),
    [
        pytest.param("", "print(fields)", "", id="XREADGROUP keeps the entry pending"),
        pytest.param("", "raise ValueError", "", id="an exception leaves it pending"),
        pytest.param(", noack=True", "print(fields)", "ack", id="NOACK leaves nothing pending"),
        pytest.param(", None, None, True", "print(fields)", "ack", id="noack is the sixth"),
        pytest.param(
            "", 'server.xack(stream, "group", entry)', "ack", id="XACK takes it off the pending"
        ),
        pytest.param("", "server.xdel(stream, entry)", "", id="XDEL does not"),
        pytest.param(
            "",
            'server.pipeline().xack(stream, "group", entry)',
            "",
            id="XACK in a pipeline that is never executed does nothing",
        ),
        pytest.param(
            "",
            'pipe = server.pipeline()\n            pipe.xack(stream, "group", entry)\n'
            "            pipe.execute()",
            "ack",
            id="XACK in a pipeline counts at execute()",
        ),
    ],
)
def test_stream(server, stream, snippet, options, body, fate):
    read = snippet(read_by(options, body))
    with suppress(ValueError):
        read.names["work"](server, stream)
    assert pending(server, stream) == (fate == "")
    assert server.xinfo_consumers(stream, GROUP)[0]["name"] == ME
    assert read.says("work") == {fate} - {""}


@pytest.mark.parametrize(
    "claim",
    [
        'for entry, fields in server.xautoclaim(stream, "group", "other", 0)[1]:',
        'for entry, fields in server.xclaim(stream, "group", "other", 0, [entry]):',
    ],
)
def test_a_pending_entry_is_taken_over_and_still_pending(server, stream, snippet, claim):
    read = snippet(
        "import redis\n\n"
        f"def work(server: redis.Redis, stream, entry):\n    {claim}\n        print(fields)\n"
    )
    [(_, [(entry, _)])] = dict(server.xreadgroup(GROUP, ME, {stream: ">"})).items()
    read.names["work"](server, stream, entry)
    [held] = server.xpending_range(stream, GROUP, "-", "+", 9)
    assert (held["consumer"], held["times_delivered"]) == ("other", 2)
    assert read.says("work") == set()


def test_an_entry_read_without_a_group_is_nobodys(server, stream):
    assert server.xread({stream: 0})
    assert server.xread({stream: 0}), "the position is the caller's own"
    assert pending(server, stream) == 0


@pytest.mark.parametrize(
    ("fill", "pop", "fate"),
    [
        ("rpush", "server.blpop(key, 1)", "ack"),
        ("rpush", "server.brpop(key, 1)", "ack"),
        ("rpush", "server.lpop(key)", "ack"),
        ("rpush", "server.rpop(key)", "ack"),
        ("rpush", "server.lmpop(1, key, direction='LEFT')", "ack"),
        ("rpush", "server.blmpop(1, 1, key, direction='LEFT')", "ack"),
        ("zadd", "server.zpopmin(key)", "ack"),
        ("zadd", "server.zpopmax(key)", "ack"),
        ("zadd", "server.bzpopmin(key, 1)", "ack"),
        ("zadd", "server.zmpop(1, [key], min=True)", "ack"),
        ("zadd", "server.bzmpop(1, 1, [key], min=True)", "ack"),
        ("rpush", "server.lmove(key, copy)", ""),
        ("rpush", "server.blmove(key, copy, 1)", ""),
        ("rpush", "server.rpoplpush(key, copy)", ""),
        ("rpush", "server.brpoplpush(key, copy, 1)", ""),
    ],
    ids=lambda value: value.partition("(")[0].removeprefix("server."),
)
def test_a_pop_removes_and_a_move_keeps(server, name, snippet, fill, pop, fate):
    copy = f"{name}:copy"
    read = snippet(
        "import redis\n\n"
        f"def work(server: redis.Redis, key, copy):\n    item = {pop}\n    print(item)\n"
    )
    server.zadd(name, {"item": 1}) if fill == "zadd" else server.rpush(name, "item")
    read.names["work"](server, name, copy)
    assert server.exists(name) == 0
    assert server.exists(copy) == (fate == "")
    assert read.says("work") == {fate} - {""}


def test_lrem_acknowledges_what_a_move_kept(server, name, snippet):
    read = snippet(
        "import redis\n\n"
        "def work(server: redis.Redis, key, copy):\n"
        "    item = server.lmove(key, copy)\n"
        "    server.lrem(copy, 1, item)\n"
    )
    server.rpush(name, "item")
    read.names["work"](server, name, f"{name}:copy")
    assert server.exists(name, f"{name}:copy") == 0
    assert read.says("work") == {"ack"}


# ---- the store ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        "server.set(key, 1, nx=True)",
        "server.setnx(key, 1)",
        "server.hsetnx(key, 'field', 1)",
        "server.sadd(key, 1)",
        "server.pfadd(key, 1)",
        "server.msetnx({key: 1})",
    ],
    ids=lambda text: text.partition("(")[0].removeprefix("server."),
)
def test_a_claim_is_true_once(server, name, claim):
    """Hence `result = "claim"`."""
    answers = [eval(claim, {"server": server, "key": name}) for _ in range(3)]
    assert [bool(answer) for answer in answers] == [True, False, False]


def test_a_pipeline_writes_at_execute(server, name):
    pipe = server.pipeline()
    pipe.set(name, 1)
    assert server.get(name) is None
    pipe.execute()
    assert server.get(name) == "1"


def test_what_was_published_while_nobody_listened_is_gone(server, name):
    assert server.publish(name, 1) == 0
    with server.pubsub() as listener:
        listener.subscribe(name)
        seen = [listener.get_message(timeout=0.2) for _ in range(2)]
    assert [one and one["type"] for one in seen] == ["subscribe", None]

"""The crash tables contractlint prints, carried out: a death comes to what its row says.

The workers are those of examples/ and tests/cases. They run in processes of their own against
RabbitMQ, Redis, NATS and PostgreSQL, each is killed at every point of its table, and a second
worker is given what the broker delivers again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

for library in ("pika", "aio_pika", "httpx", "nats", "psycopg", "redis"):
    pytest.importorskip(library)

from tests.live import shop as shops  # noqa: E402
from tests.live.shop import Facts, Queue, Shop, until  # noqa: E402
from tests.live.tables import ROOT, Row, cards, rows  # noqa: E402
from tests.live.worker import Reach  # noqa: E402

pytestmark = pytest.mark.live

# What is there before the message comes.
BEFORE = {"orders.cancelled": "INSERT INTO orders VALUES ('o1', 'c1', 5)"}
# How long a worker may go on after its message is gone.
REST = 0.3


# ---- what is seen ------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def reach(amqp_url, redis_url, nats_url, postgres_url):
    return Reach("", "", amqp_url, redis_url, nats_url, postgres_url)


@pytest.fixture
def shop(reach, name, tmp_path):
    with shops.open_shop(replace(reach, prefix=f"{name}."), tmp_path) as shop:
        yield shop


def queue_of(reach: Reach, handler: dict) -> Queue:
    library, names = handler["library"], handler["queues"]
    if library == "redis-queues":
        return shops.RedisStream(reach)
    if library == "nats-py":
        return shops.JetStream(reach, *names)
    if library == "psycopg":
        return shops.TableQueue(reach, *names)
    beside = {q for one in cards() if one["path"] == handler["path"] for q in one["queues"]}
    return shops.RabbitQueue(reach, *names, tuple(beside))


def deliver(shop: Shop, handler: dict) -> Facts:
    """Put one message into the handler's queue; return the facts before it."""
    shop.queue = queue_of(shop.reach, handler)
    for queue in handler["queues"]:
        if queue in BEFORE:
            shop.execute(BEFORE[queue])
    facts = shop.facts()
    shop.queue.put(shops.MESSAGE)
    return facts


def work_off(shop: Shop, file: Path, done: Callable[[], object]) -> None:
    """Let a healthy worker take the message; give it a rest if it is not done behind it."""
    with shop.worker(file) as started:
        settled = until(lambda: shop.queue.is_settled_by(started))
        assert settled, f"the message is still there: {started.complaints()}"
        until(done, REST)
    assert shop.queue.is_empty(), "the message came back"


def come_to_rest(shop: Shop) -> None:
    """Wait until nothing has been added for a while."""
    facts = None
    while facts != (facts := shop.facts()):
        time.sleep(2 * REST)


@pytest.fixture(scope="session")
def whole(reach, tmp_path_factory):
    """Return what a handler's work comes to if nothing disturbs it."""
    known: dict[int, Facts] = {}

    def whole(row: Row) -> Facts:
        if row.card not in known:
            own = replace(reach, prefix=f"contractlint-live-whole-{uuid.uuid4().hex[:12]}.")
            with shops.open_shop(own, tmp_path_factory.mktemp("whole")) as shop:
                before = deliver(shop, row.handler)
                with shop.worker(row.file) as started:
                    assert until(lambda: shop.facts() != before), started.complaints()
                    come_to_rest(shop)
                assert shop.queue.is_empty()
                known[row.card] = shop.facts()
        return known[row.card]

    return whole


def outcome(shop: Shop, row: Row, before: Facts, whole: Facts) -> str:
    """Let the broker deliver again what it still has, and tell what the death has come to."""
    dead = shop.facts()
    if shop.queue.is_empty():
        left = whole - dead
        return "done" if not left else "lost" if dead == before else "incomplete"
    work_off(shop, row.file, lambda: not whole - shop.facts())
    end = shop.facts()
    if shop.set_aside():
        return "set-aside"
    if end - whole:
        return "repeated"
    if whole - end:
        return "left undone"
    return "suppressed" if any(fact[0] == "outside" for fact in dead) else "safe"


# What an unknown outcome turns out to be where the process died in the window.
UNKNOWN = {"set-aside": "set-aside", "not-recorded-yet": "repeated"}


@pytest.mark.parametrize("row", rows(during=False), ids=str)
def test_a_death_after_a_step(shop, row, whole):
    """Killed there, and delivered again if the broker still has the message."""
    expected = row.said["outcome"]
    if expected == "unknown":
        expected = UNKNOWN[row.said["reason"]]
    before = deliver(shop, row.handler)
    shop.kill_after(row.file, row.death)
    assert outcome(shop, row, before, whole(row)) == expected


@pytest.mark.parametrize("row", rows(during=True), ids=str)
def test_a_death_during_an_effect(row, reach, name, whole, tmp_path):
    """The callee lets the worker die, once before and once after it has done what it was asked to.

    The next worker finds the same message and the same database: nobody can tell the two apart.
    """
    assert row.said["outcome"] == "unknown"
    stored, ends = {}, {}
    for kills in ("before", "after"):
        own = replace(reach, prefix=f"{name}-{kills}.")
        with shops.open_shop(own, tmp_path) as shop:
            before = deliver(shop, row.handler)
            shop.kill_during(row.file, kills)
            assert len(shop.outside.done) == (kills == "after")
            stored[kills] = shop.stored()
            ends[kills] = outcome(shop, row, before, whole(row))
    assert stored["before"] == stored["after"]
    if row.said["reason"] == "in-flight-again":
        assert ends == {"before": "safe", "after": "repeated"}
    else:
        assert ends["before"] != ends["after"] or set(ends.values()) == {"set-aside"}


# ---- a failure without a death: CL301 ----------------------------------------------------------


def deliveries(shop: Shop, file: Path) -> tuple[int, bool]:
    """Let a worker meet a message it cannot read; return its failures, and if it is still there."""
    shop.queue = shops.RabbitQueue(shop.reach, "orders.cancelled", ("orders.created",))
    shop.queue.put_bytes(b"{not json")
    with shop.worker(file) as started:

        def failures() -> int:
            return started.complaints().count("\njson.decoder.JSONDecodeError")

        settled = until(lambda: failures() > 50 or shop.queue.state(shop.queue.DEAD)[0])
        assert settled, "the worker did nothing"
    return failures(), not shop.queue.is_empty()


def test_cl301_a_message_nobody_can_read_circles(shop):
    failures, still_there = deliveries(shop, ROOT / "examples/broken/orders.py")
    assert failures > 50
    assert still_there


def test_the_mended_worker_sets_it_aside(shop):
    assert deliveries(shop, ROOT / "examples/mended/orders.py") == (0, False)
    [reason] = shop.set_aside()
    assert reason.startswith("unreadable")

"""What rules of retries look at: another round, tests of the content, memory, unheard answers."""

import pytest

HEAD = "from steps import a, b, ack, late, risky, handler, connect\n\n"


def rounds(lower, body):
    source = f"{HEAD}\n@handler\ndef handle(m):\n{body}"
    return [(event["loop"], event["failed"]) for event in lower(source).events("again", "handle")]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("while True", "endless"),
        ("while 1", "endless"),
        ("while not m.done", "while"),
        ("for turn in range(3)", "counted"),
        ("for turn in itertools.count()", "endless"),
    ],
)
def test_a_loop_around_the_work_begins_again(lower, head, kind):
    body = f"    {head}:\n        try: return risky()\n        except Exception: a()\n"
    assert rounds(lower, body) == [(kind, "yes")]


def test_a_loop_without_an_except_tries_nothing_again(lower):
    assert rounds(lower, "    while m.more:\n        a()\n") == [("while", "")]


def test_a_loop_over_things_is_no_second_attempt(lower):
    body = "    for row in m.rows:\n        try: risky()\n        except Exception: a()\n"
    assert rounds(lower, body) == []


def test_a_loop_that_ends_in_each_round_begins_none(lower):
    assert rounds(lower, "    while True:\n        risky()\n        break\n") == []


def test_a_loop_from_delivery_to_delivery_is_no_second_attempt(lower):
    source = f"""{HEAD}
def run():
    channel = connect()
    while True:
        m = channel.take()
        try: risky(m)
        except Exception: a()
        m.ack()
"""
    assert lower(source).events("again", "run") == []


@pytest.mark.parametrize(
    "test",
    ["m['kind'] == 'x'", "'id' not in m", "m.get('id') is None", "len(m.rows) > 3", "is_valid(m)"],
)
def test_a_test_of_the_content(graph, test):
    assert graph(f"if {test}: a()\nelse: b()", show="content") == {"content · a", "content · b"}


@pytest.mark.parametrize(
    "test",
    [
        "ready",
        "can_take(m)",
        "service.knows(m)",
        "m['at'] < time.time()",
        "m.attempts > 3",
        "m['id'] in seen",
    ],
)
def test_a_test_of_something_else_as_well(graph, test):
    traces = graph(f"if {test}: a()\nelse: b()", above="import time", show="content")
    assert not any("content" in trace for trace in traces)


def test_a_container_that_outlives_the_delivery(graph):
    body = "if m.id in known: return\na()\nknown.add(m.id)"
    assert graph(body, above="known = set()", show="recall remember") == {
        "recall",
        "recall · a · remember",
    }


@pytest.mark.parametrize("made", ["set()", "{}", "dict()", "[]", "list()"])
def test_containers(graph, made):
    assert graph("if m.id in kept: a()", above=f"kept = {made}", show="recall") == {
        "recall · a",
        "recall",
    }


@pytest.mark.parametrize("made", ["{'x', 'y'}", "('x', 'y')", "frozenset()", "load()"])
def test_what_is_made_once_for_all_remembers_nothing(graph, made):
    assert graph("if m.id in kept: a()", above=f"kept = {made}", show="recall") == {"a", ""}


def test_a_container_of_this_delivery_alone(graph):
    body = (
        "seen = set()\nfor row in m.rows:\n    if row in seen: continue\n    seen.add(row)\n    a()"
    )
    assert not any("re" in trace for trace in graph(body, show="recall remember"))


@pytest.mark.parametrize(
    ("classes", "unheard"),
    [
        ("TimeoutError", "yes"),
        ("(KeyError, requests.ReadTimeout)", "yes"),
        ("httpx.TimeoutException", "yes"),
        ("requests.ConnectTimeout", ""),
        ("httpx.PoolTimeout", ""),
        ("redis.exceptions.LockTimeout", ""),
        ("ConnectionError", ""),
        ("Exception", ""),
    ],
)
def test_an_answer_that_did_not_come(lower, classes, unheard):
    source = f"""{HEAD}
import httpx, redis, requests

@handler
def handle(m):
    try: late()
    except {classes}: a()
"""
    assert lower(source).attributes("failure", "timeout", "handle") == {unheard}


def test_the_end_after_a_failed_settlement_is_told_apart(lower):
    source = f"{HEAD}\n@handler\ndef handle(m):\n    risky()\n    ack(m)\n"
    ends = [(end["by"], end["of"]) for end in lower(source).events("exit", "handle")]
    assert ends == [("return", ""), ("raise", ""), ("raise", "settling")]


LOGGED = "    if isinstance(error, OSError): log.warning('later')\n    else: log.error('now')\n"
DECIDED = "    if isinstance(error, OSError): return\n"


@pytest.mark.parametrize(("test", "proof"), [(LOGGED, "a"), (DECIDED, "classified · a")])
def test_a_test_that_only_logs_tells_no_errors_apart(graph, test, proof):
    body = f"try: risky()\nexcept Exception as error:\n{test}    a()"
    assert proof in graph(body, show="classified")


def test_a_signal_of_the_library_tells_no_errors_apart(lower):
    source = """
from celery import shared_task
from celery.exceptions import Retry
from elsewhere import work

@shared_task(bind=True)
def handle(self, m):
    try:
        work(m)
    except Retry:
        raise
    except Exception:
        self.retry()
"""
    traces = lower(source).traces("handle", show="classified", fails=True)
    told = {trace for trace in traces if "retry" in trace}
    assert told
    assert not any("classified" in trace for trace in told)

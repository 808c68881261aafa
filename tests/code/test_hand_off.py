"""Started and not waited for: the work belongs to another trace, which may come later."""

import pytest

ABOVE = """
import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor()
def store(x): a()
async def astore(x): a()
"""


@pytest.mark.parametrize(
    "start",
    [
        "threading.Thread(target=store, args=(m,)).start()",
        "threading.Thread(target=store, kwargs={'x': m}).start()",
        "thread = threading.Thread(target=store, args=[m])\nthread.start()",
        "pool.submit(store, m)",
        "steps.spawn(store, m)",
    ],
)
def test_a_hand_off(graph, start):
    traces = graph(f"{start}\nb()", ABOVE)
    assert all("a" not in text.split(" · ") for text in traces)
    assert any("handoff" in text for text in traces)


def test_a_task(graph):
    assert graph("asyncio.create_task(astore(m))\nawait b()", ABOVE) == {"handoff · b"}


def test_gathered_calls_are_awaited(graph):
    traces = graph("await asyncio.gather(astore(m), astore(m))\nb()", ABOVE)
    assert traces == {"a · a · join · b"}


def test_to_thread_is_a_call(graph):
    assert graph("await asyncio.to_thread(store, m)\nb()", ABOVE) == {"a · b"}


def test_waiting_for_a_thread(graph):
    body = "thread = threading.Thread(target=store, args=(m,))\nthread.start()\nthread.join()\nb()"
    assert all("join" in text for text in graph(body, ABOVE))


def test_waiting_for_a_future(graph):
    traces = graph("future = pool.submit(store, m)\nfuture.result()\nb()", ABOVE)
    assert all("join" in text or "a ·" in text for text in traces)


def test_a_started_function_without_the_message_is_no_hand_off(graph):
    assert graph("threading.Thread(target=print).start()\nb()", ABOVE) == {"b"}


def test_what_was_started_is_a_handler_of_its_own(lower):
    source = """
    import threading
    import steps
    def store(channel, m):
        steps.a()
        channel.ack(m)
    def handle(channel, m):
        threading.Thread(target=store, args=(channel, m)).start()
    steps.connect().register(handle)
    """
    lowered = lower(source)
    assert lowered.names == ["handle", "store"]
    assert lowered.traces("store") == {"a · ack"}


def test_a_lambda_hands_over_what_it_closes_over(graph):
    assert graph("pool.submit(lambda: store(m))\nb()", ABOVE) == {"handoff · b"}


def test_a_task_that_is_awaited_is_a_call(graph):
    assert graph("await asyncio.create_task(astore(m))\nb()", ABOVE) == {"a · b"}

"""rules/libraries/kombu.toml against RabbitMQ."""

from __future__ import annotations

import time

import pytest

kombu = pytest.importorskip("kombu")
pytestmark = pytest.mark.live

HANDLER = """
import kombu

def on_message(body, message: kombu.message.Message):
    {body}

def consumer(connection: kombu.Connection, queue):
    return kombu.Consumer(connection, [queue], callbacks=[on_message]{options})
"""


@pytest.fixture
def connection(rabbit):
    with kombu.Connection(rabbit.url) as connection:
        yield connection


@pytest.fixture
def queue(rabbit):
    return kombu.Queue(rabbit.queue, no_declare=True)


def drain(connection, counted, patience: float) -> None:
    deadline = time.monotonic() + patience
    while not counted.came_back and time.monotonic() < deadline:
        try:
            connection.drain_events(timeout=0.05)
        except TimeoutError:
            continue


@pytest.mark.parametrize(
    ("body", "options", "fate"),
    [
        pytest.param("message.ack()", "", "ack", id="ack(): the message is gone"),
        pytest.param("message.reject()", "", "reject", id="reject() does not put it back"),
        pytest.param("message.reject(True)", "", "requeue", id="reject(): requeue is the first"),
        pytest.param("message.requeue()", "", "requeue", id="requeue() puts the message back"),
        pytest.param("return", "", "", id="a return acknowledges nothing"),
        pytest.param("raise ValueError", "", "", id="an exception acknowledges nothing"),
        pytest.param(
            "raise ValueError",
            ", no_ack=True",
            "ack",
            id="no_ack=True: the message is gone whatever the handler does",
        ),
    ],
)
def test_handler(rabbit, connection, queue, snippet, calls, patience, body, options, fate):
    read = snippet(HANDLER.format(body=body, options=options))
    counted = calls(read)
    rabbit.publish(content_type="text/plain", content_encoding="utf-8")
    consumer = read.names["consumer"](connection, queue)
    consumer.qos(prefetch_count=1)
    try:
        with consumer:
            drain(connection, counted, patience(fate))
    except ValueError:
        pass
    connection.release()
    assert counted.bodies, "nothing was delivered"
    assert rabbit.fate(counted) == fate
    assert read.says() == {fate} - {""}


@pytest.mark.parametrize(
    ("made", "fate"),
    [
        pytest.param("SimpleQueue(queue)", "", id="SimpleQueue.get() acknowledges nothing"),
        pytest.param("SimpleQueue(queue, no_ack=True)", "ack", id="with no_ack=True it does"),
        pytest.param("SimpleBuffer(queue)", "ack", id="SimpleBuffer.get() acknowledges by default"),
        pytest.param("SimpleBuffer(queue, no_ack=False)", "", id="with no_ack=False it does not"),
    ],
)
def test_simple(rabbit, connection, queue, snippet, made, fate):
    read = snippet(
        "import kombu\n\n"
        "def work(connection: kombu.Connection, queue):\n"
        f"    message = connection.{made}.get(timeout=3)\n"
        "    print(message.payload)\n"
    )
    rabbit.publish(content_type="text/plain", content_encoding="utf-8")
    read.names["work"](connection, queue)
    connection.release()
    assert rabbit.fate() == fate
    assert read.says("work") == {fate} - {""}


@pytest.mark.parametrize(("options", "fate"), [("", ""), ("no_ack=True", "ack")])
def test_queue_get_acknowledges_only_with_no_ack(rabbit, connection, queue, snippet, options, fate):
    read = snippet(
        "import kombu\n\n"
        "def work(queue: kombu.Queue):\n"
        f"    message = queue.get({options})\n"
        "    print(message.payload)\n"
    )
    rabbit.publish(content_type="text/plain", content_encoding="utf-8")
    read.names["work"](queue(connection.channel()))
    connection.release()
    assert rabbit.fate() == fate
    assert read.says("work") == {fate} - {""}


def test_consumer_mixin_acknowledges_what_it_cannot_decode(rabbit, connection, queue):
    """The message is gone without having reached a callback."""
    from kombu.mixins import ConsumerMixin

    received = []

    class Worker(ConsumerMixin):
        def __init__(self) -> None:
            self.connection = connection

        def get_consumers(self, consumer, channel):
            return [consumer([queue], callbacks=[lambda body, message: received.append(body)])]

    rabbit.publish("{not json", content_type="application/json", content_encoding="utf-8")
    for _ in Worker().consume(limit=1, timeout=0.3, safety_interval=0):
        pass
    connection.release()
    assert received == []
    assert rabbit.fate() == "ack"

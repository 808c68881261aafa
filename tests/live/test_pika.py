"""rules/libraries/pika.toml against RabbitMQ."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("pika")
pytestmark = pytest.mark.live

HANDLER = """
import pika

def on_message(channel, method, properties, body):
    {body}

def consume(channel: pika.channel.Channel, queue):
    channel.basic_consume(queue, on_message{options})
"""


@pytest.mark.parametrize(
    ("body", "options", "fate"),
    [
        pytest.param(
            "channel.basic_ack(method.delivery_tag)", "", "ack", id="basic_ack: the message is gone"
        ),
        pytest.param(
            "channel.basic_nack(method.delivery_tag)",
            "",
            "requeue",
            id="basic_nack without requeue puts the message back",
        ),
        pytest.param(
            "channel.basic_nack(method.delivery_tag, requeue=False)",
            "",
            "reject",
            id="basic_nack with requeue=False does not put it back",
        ),
        pytest.param(
            "channel.basic_nack(method.delivery_tag, False, False)",
            "",
            "reject",
            id="requeue is the third argument of basic_nack",
        ),
        pytest.param(
            "channel.basic_reject(method.delivery_tag)",
            "",
            "requeue",
            id="basic_reject without requeue puts the message back",
        ),
        pytest.param(
            "channel.basic_reject(method.delivery_tag, False)",
            "",
            "reject",
            id="requeue is the second argument of basic_reject",
        ),
        pytest.param("return", "", "", id="a return acknowledges nothing"),
        pytest.param("raise ValueError", "", "", id="an exception acknowledges nothing"),
        pytest.param(
            "raise ValueError",
            ", auto_ack=True",
            "ack",
            id="auto_ack=True: the message is gone whatever the handler does",
        ),
        pytest.param(
            "raise ValueError",
            ", True",
            "ack",
            id="auto_ack is the third argument of basic_consume",
        ),
    ],
)
def test_handler(rabbit, snippet, calls, patience, body, options, fate):
    read = snippet(HANDLER.format(body=body, options=options))
    counted = calls(read)
    rabbit.publish()
    with rabbit.channel() as channel:
        read.names["consume"](channel, rabbit.queue)
        deadline = time.monotonic() + patience(fate)
        try:
            while not counted.came_back and time.monotonic() < deadline:
                channel.connection.process_data_events(0.05)
        except ValueError:
            pass
    assert counted.bodies, "nothing was delivered"
    assert rabbit.fate(counted) == fate
    assert read.says() == {fate} - {""}


LOOPS = {
    "basic_get": "method, properties, body = channel.basic_get(queue{options})\n    print(body)",
    "consume": (
        "for method, properties, body in channel.consume(queue{options}):\n"
        "        print(body)\n"
        "        return"
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("options", "fate"), [("", ""), (", auto_ack=True", "ack")])
def test_receiving_acknowledges_only_with_auto_ack(rabbit, snippet, loop, options, fate):
    body = LOOPS[loop].format(options=options)
    read = snippet(f"import pika\n\ndef work(channel: pika.channel.Channel, queue):\n    {body}\n")
    rabbit.publish()
    with rabbit.channel() as channel:
        read.names["work"](channel, rabbit.queue)
    assert rabbit.fate() == fate
    assert read.says("work") == {fate} - {""}


PUBLISHER = """
import os, signal, sys, pika
channel = pika.BlockingConnection(pika.URLParameters(sys.argv[1])).channel()
channel.basic_publish("", sys.argv[2], b"1")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_basic_publish_has_sent_when_it_returns(rabbit, until):
    """Hence `confirmed = "yes"`: nothing waits in the client for a flush."""
    ran = subprocess.run([sys.executable, "-c", PUBLISHER, rabbit.url, rabbit.queue], check=False)
    assert ran.returncode == -signal.SIGKILL
    assert until(lambda: rabbit.state()[0] == 1)

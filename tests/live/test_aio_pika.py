"""rules/libraries/aio-pika.toml against RabbitMQ."""

from __future__ import annotations

import asyncio

import pytest

aio_pika = pytest.importorskip("aio_pika")
pytestmark = pytest.mark.live

HANDLER = """
import asyncio
import aio_pika

async def on_message(message: aio_pika.abc.AbstractIncomingMessage):
    {body}

async def consume(channel: aio_pika.abc.AbstractChannel, name):
    queue = await channel.get_queue(name)
    await queue.consume(on_message{options})
"""


def process(arguments: str, body: str) -> str:
    return f"async with message.process({arguments}):\n        {body}"


def consumed(url: str, consume, queue: str, counted, patience: float) -> None:
    """Consume until a message comes a second time or patience is at its end."""

    async def consumed() -> None:
        connection = await aio_pika.connect(url)
        async with connection:
            channel = await connection.channel()
            await channel.set_qos(prefetch_count=1)
            await consume(channel, queue)
            deadline = asyncio.get_running_loop().time() + patience
            while not counted.came_back and asyncio.get_running_loop().time() < deadline:
                await asyncio.sleep(0.01)

    asyncio.run(consumed())


@pytest.mark.parametrize(
    ("body", "options", "fate"),
    [
        pytest.param("await message.ack()", "", "ack", id="ack(): the message is gone"),
        pytest.param("await message.nack()", "", "requeue", id="nack() puts the message back"),
        pytest.param(
            "await message.nack(False, False)", "", "reject", id="nack(): requeue is the second"
        ),
        pytest.param("await message.reject()", "", "reject", id="reject() does not put it back"),
        pytest.param(
            "await message.reject(True)", "", "requeue", id="reject(): requeue is the first"
        ),
        pytest.param(process("", "return"), "", "ack", id="process() acks at the end of its block"),
        pytest.param(
            process("", "raise ValueError"),
            "",
            "reject",
            id="process() rejects on an exception and does not put back",
        ),
        pytest.param(
            process("", "raise asyncio.CancelledError"),
            "",
            "reject",
            id="process() rejects on a cancellation as well",
        ),
        pytest.param(
            process("requeue=True", "raise ValueError"),
            "",
            "requeue",
            id="process(requeue=True) puts back on an exception",
        ),
        pytest.param("raise ValueError", "", "", id="an exception alone acknowledges nothing"),
        pytest.param("return", "", "", id="a return alone acknowledges nothing"),
        pytest.param(
            "raise ValueError",
            ", no_ack=True",
            "ack",
            id="no_ack=True: the message is gone whatever the handler does",
        ),
    ],
)
def test_handler(rabbit, snippet, calls, patience, body, options, fate):
    read = snippet(HANDLER.format(body=body, options=options))
    counted = calls(read, asynchronous=True)
    rabbit.publish()
    consumed(rabbit.url, read.names["consume"], rabbit.queue, counted, patience(fate))
    assert counted.bodies, "nothing was delivered"
    assert rabbit.fate(counted) == fate
    assert read.says() == {fate} - {""}


def test_reject_on_redelivered_bounds_what_process_puts_back(rabbit, snippet, until):
    """Hence `bounded = "broker"`: the second delivery goes to the dead letters."""
    once = "requeue=True, reject_on_redelivered=True"
    read = snippet(HANDLER.format(body=process(once, "raise ValueError"), options=""))
    rabbit.publish()

    async def consume() -> None:
        async with await aio_pika.connect(rabbit.url) as connection:
            await read.names["consume"](await connection.channel(), rabbit.queue)
            assert await asyncio.to_thread(until, lambda: rabbit.state(rabbit.dead_letters)[0] == 1)

    asyncio.run(consume())
    assert read.says() == {"requeue"}
    assert {event["bounded"] for event in read.events()} == {"broker"}


LOOPS = {
    "get": "message = await queue.get({0})\n    print(message.body)",
    "iterator": (
        "async with queue.iterator({0}) as messages:\n"
        "        async for message in messages:\n"
        "            print(message.body)\n"
        "            return"
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("options", "fate"), [("", ""), ("no_ack=True", "ack")])
def test_receiving_acknowledges_only_with_no_ack(rabbit, snippet, loop, options, fate):
    head = "import aio_pika\n\nasync def work(queue: aio_pika.abc.AbstractQueue):\n    "
    read = snippet(head + LOOPS[loop].format(options) + "\n")
    rabbit.publish()

    async def work() -> None:
        async with await aio_pika.connect(rabbit.url) as connection:
            channel = await connection.channel()
            await channel.set_qos(prefetch_count=1)
            await read.names["work"](await channel.get_queue(rabbit.queue))

    asyncio.run(work())
    assert rabbit.fate() == fate
    assert read.says("work") == {fate} - {""}


MASTER = """
import aio_pika
from aio_pika.patterns import Master, NackMessage, RejectMessage

async def on_message(**task):
    {body}

async def consume(channel: aio_pika.abc.AbstractChannel, name):
    master = Master(channel{options})
    await master.create_worker(name, on_message{worker})
"""


@pytest.mark.parametrize(
    ("body", "options", "fate"),
    [
        pytest.param("return", "", "ack", id="a return acknowledges"),
        pytest.param("raise ValueError", "", "requeue", id="an exception puts the task back"),
        pytest.param(
            "raise ValueError",
            ", requeue=False",
            "reject",
            id="unless the master has requeue=False",
        ),
        pytest.param("raise NackMessage", "", "reject", id="NackMessage does not put back"),
        pytest.param(
            "raise NackMessage(requeue=True)", "", "requeue", id="NackMessage(requeue=True) does"
        ),
        pytest.param("raise RejectMessage", "", "reject", id="RejectMessage does not put back"),
        pytest.param(
            "raise RejectMessage(requeue=True)",
            "",
            "requeue",
            id="RejectMessage(requeue=True) does",
        ),
    ],
)
def test_master(rabbit, snippet, calls, patience, body, options, fate):
    arguments = {
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": rabbit.dead_letters,
    }
    worker = f", arguments={arguments!r}"
    read = snippet(MASTER.format(body=body, options=options, worker=worker))
    counted = calls(read, asynchronous=True)

    async def publish() -> None:
        async with await aio_pika.connect(rabbit.url) as connection:
            channel = await connection.channel()
            await aio_pika.patterns.Master(channel).create_task(rabbit.queue, {"number": 1})

    asyncio.run(publish())
    consumed(rabbit.url, read.names["consume"], rabbit.queue, counted, patience(fate))
    assert counted.bodies, "nothing was delivered"
    assert rabbit.fate(counted) == fate
    assert read.says(fails="ValueError" in body) == {fate}


def test_publish_waits_until_the_broker_has_the_message(rabbit):
    """Hence `confirmed = "yes"`."""

    async def publish() -> None:
        connection = await aio_pika.connect(rabbit.url)
        channel = await connection.channel()
        await channel.default_exchange.publish(aio_pika.Message(b"1"), rabbit.queue)
        # No await and no close: what is still in the client never leaves it.
        assert rabbit.state()[0] == 1
        await connection.close()

    asyncio.run(publish())

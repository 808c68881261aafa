"""rules/libraries/nats.toml against NATS with JetStream."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

nats = pytest.importorskip("nats")
from nats.js.api import ConsumerConfig  # noqa: E402

pytestmark = pytest.mark.live

TERMINATED = "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED"
LONG = 30.0


@dataclass
class Jet:
    """A stream of its own; `terminated` counts the messages that a consumer gave up for good."""

    client: object
    context: object
    stream: str
    terminated: list = field(default_factory=list)

    async def settled(self, patience: float = 4.0) -> bool:
        """Wait until no delivery is unacknowledged."""
        deadline = asyncio.get_running_loop().time() + patience
        while (await self.context.consumer_info(self.stream, "me")).num_ack_pending:
            if asyncio.get_running_loop().time() > deadline:
                return False
            await asyncio.sleep(0.01)
        return True


@asynccontextmanager
async def jet(url: str, name: str):
    async def quiet(error: Exception) -> None:
        """What a callback raises is told here."""

    client = await nats.connect(url, error_cb=quiet, connect_timeout=2)
    context = client.jetstream()
    try:
        await context.account_info()
    except Exception as error:
        await client.close()
        pytest.skip(f"NATS at {url} has no JetStream ({error!r})")
    await context.add_stream(name=name, subjects=[name])
    one = Jet(client, context, name)

    async def note(message) -> None:
        one.terminated.append(message)

    await client.subscribe(f"{TERMINATED}.{name}.>", cb=note)
    try:
        yield one
    finally:
        await context.delete_stream(name)
        await client.close()


async def until(condition, patience: float = 4.0) -> bool:
    deadline = asyncio.get_running_loop().time() + patience
    while not condition():
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True


HANDLER = """
import nats
from nats.aio.msg import Msg
from nats.js import JetStreamContext

async def on_message(msg: Msg):
    {body}

async def consume(js: JetStreamContext, subject, config):
    await js.subscribe(subject, durable="me", config=config, cb=on_message{options})
"""


@pytest.mark.parametrize(
    ("body", "options", "fate"),
    [
        pytest.param("return", "", "ack", id="a callback that returns acknowledges"),
        pytest.param("raise ValueError", "", "", id="one that raises does not"),
        pytest.param("return", ", manual_ack=True", "", id="manual_ack=True: nobody acknowledges"),
        pytest.param("await msg.ack()", ", manual_ack=True", "ack", id="ack(): it is gone"),
        pytest.param("await msg.ack_sync()", ", manual_ack=True", "ack", id="so does ack_sync()"),
        pytest.param("await msg.nak()", ", manual_ack=True", "requeue", id="nak(): again, at once"),
        pytest.param("await msg.term()", ", manual_ack=True", "reject", id="term(): never again"),
        pytest.param(
            "await msg.in_progress()", ", manual_ack=True", "", id="in_progress() settles nothing"
        ),
    ],
)
def test_callback(nats_url, name, snippet, calls, patience, body, options, fate):
    read = snippet(HANDLER.format(body=body, options=options))
    counted = calls(read, asynchronous=True)

    async def scenario() -> str:
        async with jet(nats_url, name) as js:
            config = ConsumerConfig(ack_wait=LONG)
            await read.names["consume"](js.context, name, config)
            await js.context.publish(name, b"1")
            assert await until(lambda: counted.bodies), "nothing was delivered"
            if await until(lambda: counted.came_back, patience(fate)):
                return "requeue"
            if not await js.settled(0 if fate == "" else 4.0):
                return ""
            return "reject" if js.terminated else "ack"

    assert asyncio.run(scenario()) == fate
    assert read.says(fails="raise" in body) == {fate} - {""}


def test_what_a_callback_raised_on_comes_back_after_ack_wait(nats_url, name, snippet, calls):
    read = snippet(HANDLER.format(body="raise ValueError", options=""))
    counted = calls(read, asynchronous=True)

    async def scenario() -> None:
        async with jet(nats_url, name) as js:
            await read.names["consume"](js.context, name, ConsumerConfig(ack_wait=0.3))
            await js.context.publish(name, b"1")
            assert await until(lambda: counted.bodies)
            assert not await until(lambda: counted.came_back, 0.1)
            assert await until(lambda: counted.came_back)

    asyncio.run(scenario())


def test_max_deliver_bounds_the_deliveries(nats_url, name):
    async def scenario() -> list[int]:
        deliveries = []

        async def on_message(msg) -> None:
            deliveries.append(msg.metadata.num_delivered)
            await msg.nak()

        async with jet(nats_url, name) as js:
            config = ConsumerConfig(max_deliver=3)
            subscribe = js.context.subscribe
            await subscribe(name, durable="me", config=config, cb=on_message, manual_ack=True)
            await js.context.publish(name, b"1")
            await until(lambda: len(deliveries) > 3, 0.5)
        return deliveries

    assert asyncio.run(scenario()) == [1, 2, 3]


def test_without_max_deliver_nak_is_for_ever(nats_url, name):
    async def scenario() -> bool:
        deliveries = []

        async def on_message(msg) -> None:
            deliveries.append(msg)
            await msg.nak()

        async with jet(nats_url, name) as js:
            await js.context.subscribe(name, durable="me", cb=on_message, manual_ack=True)
            await js.context.publish(name, b"1")
            return await until(lambda: len(deliveries) > 50)

    assert asyncio.run(scenario())


PULL = """
from nats.js import JetStreamContext

async def work(js: JetStreamContext, subject):
    subscription = await js.pull_subscribe(subject, durable="me")
    for msg in await subscription.fetch(1, timeout=2):
        {body}
"""

PUSH = """
from nats.js import JetStreamContext

async def work(js: JetStreamContext, subject):
    subscription = await js.subscribe(subject, durable="me")
    msg = await subscription.next_msg(timeout=2)
    {body}
"""


@pytest.mark.parametrize("source", [PULL, PUSH], ids=["fetch", "next_msg"])
@pytest.mark.parametrize(("body", "fate"), [("print(msg.data)", ""), ("await msg.ack()", "ack")])
def test_without_a_callback_nothing_is_acknowledged_for_you(
    nats_url, name, snippet, source, body, fate
):
    read = snippet(source.format(body=body))

    async def scenario() -> bool:
        async with jet(nats_url, name) as js:
            await js.context.publish(name, b"1")
            await read.names["work"](js.context, name)
            return await js.settled(4.0 if fate else 0.2)

    assert asyncio.run(scenario()) == (fate == "ack")
    assert read.says("work") == {fate} - {""}


def test_an_ordered_consumer_acknowledges_nothing_and_is_never_asked_to(nats_url, name):
    """A message that a callback raised on does not come back: acknowledged on delivery."""

    async def scenario() -> int:
        deliveries = []

        async def on_message(msg) -> None:
            deliveries.append(msg)
            raise ValueError

        async with jet(nats_url, name) as js:
            config = ConsumerConfig(ack_wait=0.2)
            await js.context.subscribe(name, cb=on_message, ordered_consumer=True, config=config)
            await js.context.publish(name, b"1")
            assert await until(lambda: deliveries)
            await until(lambda: len(deliveries) > 1, 0.6)
        return len(deliveries)

    assert asyncio.run(scenario()) == 1


def test_core_nats_keeps_nothing_for_who_is_not_there(nats_url, name):
    async def scenario() -> None:
        client = await nats.connect(nats_url, connect_timeout=2)
        await client.publish(name, b"1")
        await client.flush()
        subscription = await client.subscribe(name)
        with pytest.raises(nats.errors.TimeoutError):
            await subscription.next_msg(timeout=0.2)
        await client.close()

    asyncio.run(scenario())


def test_publish_of_jetstream_waits_and_publish_async_does_not(nats_url, name):
    """Hence `confirmed = "yes"` and `confirmed = "no"`."""

    async def scenario() -> None:
        async with jet(nats_url, name) as js:
            await js.context.publish(name, b"1")
            assert (await js.context.stream_info(name)).state.messages == 1
            answer = await js.context.publish_async(name, b"2")
            assert not answer.done()
            await js.context.publish_async_completed()
            assert answer.done()

    asyncio.run(scenario())

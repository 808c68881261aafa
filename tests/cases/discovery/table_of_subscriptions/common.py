import asyncio
from typing import Callable, NamedTuple

from bus import Bus


class Subscription(NamedTuple):
    queue: str
    handler: Callable
    options: dict


async def subscribe_all(subscriptions):
    bus = Bus()
    await asyncio.gather(*(bus.subscribe(one.queue, one.handler) for one in subscriptions))


async def subscribe_pairs(pairs):
    bus = Bus()
    for queue, handler in pairs:
        await bus.subscribe(queue, handler)

"""nats: a pull loop with timeouts, in_progress, term for what cannot be read."""
import asyncio
import json

import nats
from nats.errors import TimeoutError as NoMessages

from atlas import draw


async def main():
    client = await nats.connect("nats://nats:4222")
    stream = client.jetstream()
    subscription = await stream.pull_subscribe("tiles.*", durable="atlas")
    while True:
        try:
            batch = await subscription.fetch(10, timeout=5)
        except NoMessages:
            continue
        for msg in batch:
            try:
                tile = json.loads(msg.data)
            except ValueError:
                await msg.term()
                continue
            await msg.in_progress()
            await draw(tile)
            await msg.ack()


asyncio.run(main())

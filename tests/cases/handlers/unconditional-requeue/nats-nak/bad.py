"""nak() for any failure of a pulled message."""
import asyncio

import nats

from looms import weave


async def main():
    client = await nats.connect()
    subscription = await client.jetstream().pull_subscribe("cloth", "looms")
    while True:
        for msg in await subscription.fetch(5):
            try:
                await weave(msg.data)
                await msg.ack()
            except Exception:
                await msg.nak(delay=10)  # <- CL301


asyncio.run(main())

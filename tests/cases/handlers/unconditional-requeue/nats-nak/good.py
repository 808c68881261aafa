"""The stream counts deliveries; after five the message is terminated."""
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
                if msg.metadata.num_delivered >= 5:
                    await msg.term()
                else:
                    await msg.nak(delay=10)


asyncio.run(main())

"""Awaited, it is no hand-off."""
import asyncio
import json

import aiosqlite
import nats


async def store(sample):
    async with aiosqlite.connect("lab.db") as db:
        await db.execute("INSERT OR REPLACE INTO samples VALUES (?, ?)", (sample["id"], sample["ph"]))
        await db.commit()


async def main():
    client = await nats.connect("nats://nats:4222")
    stream = client.jetstream()

    async def on_sample(msg):
        await asyncio.create_task(store(json.loads(msg.data)))
        await msg.ack()

    await stream.subscribe("samples", durable="lab", cb=on_sample, manual_ack=True)
    await asyncio.Event().wait()


asyncio.run(main())

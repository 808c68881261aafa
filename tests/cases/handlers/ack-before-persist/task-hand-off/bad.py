"""asyncio.create_task is a hand-off, too."""
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
        asyncio.create_task(store(json.loads(msg.data)))
        await msg.ack()  # <- CL101

    await stream.subscribe("samples", durable="lab", cb=on_sample, manual_ack=True)
    await asyncio.Event().wait()


asyncio.run(main())

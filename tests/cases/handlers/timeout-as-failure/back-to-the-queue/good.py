"""The outcome is written down as unknown; somebody asks the other side."""
import asyncio
import sqlite3

import aio_pika
import aiohttp

db = sqlite3.connect("/srv/charges.db", isolation_level=None)


async def on_charge(message: aio_pika.IncomingMessage):
    try:
        async with aiohttp.ClientSession() as session:
            key = {"Idempotency-Key": message.message_id}
            await session.post("https://pay.example/charges", data=message.body, headers=key)
    except asyncio.TimeoutError:
        db.execute("INSERT OR REPLACE INTO unknown (id) VALUES (?)", (message.message_id,))
    await message.ack()

"""Ended for good; what is not ready yet is put back."""
import json
import pathlib
import sqlite3

import nats

db = sqlite3.connect("/srv/meters.db", isolation_level=None)
ready = pathlib.Path("/srv/meters.ready")


async def on_reading(msg):
    reading = json.loads(msg.data)
    if reading.get("version") != 2 or "meter" not in reading:
        await msg.term()
        return
    if not ready.exists():
        await msg.nak(delay=30)
        return
    db.execute("INSERT OR REPLACE INTO readings (id, value) VALUES (?, ?)", (reading["meter"], reading["value"]))
    await msg.ack()


async def main():
    connection = await nats.connect()
    await connection.jetstream().subscribe("readings", durable="meters", cb=on_reading, manual_ack=True)

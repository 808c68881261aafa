"""Put back because of what stands in it: it will stand there the next time as well."""
import json
import sqlite3

import nats

db = sqlite3.connect("/srv/meters.db", isolation_level=None)


async def on_reading(msg):
    reading = json.loads(msg.data)
    if reading.get("version") != 2 or "meter" not in reading:
        await msg.nak()  # <- CL303
        return
    db.execute("INSERT OR REPLACE INTO readings (id, value) VALUES (?, ?)", (reading["meter"], reading["value"]))
    await msg.ack()


async def main():
    connection = await nats.connect()
    await connection.jetstream().subscribe("readings", durable="meters", cb=on_reading, manual_ack=True)

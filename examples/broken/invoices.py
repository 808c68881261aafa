"""Issues the invoice of a shipped order, and sends it: messages of NATS JetStream."""

import asyncio
import json
import os

import httpx
import nats
import psycopg


async def main():
    database = await psycopg.AsyncConnection.connect(os.environ["DATABASE_URL"], autocommit=True)
    post = httpx.AsyncClient(base_url="https://post.example", timeout=10)
    client = await nats.connect(os.environ["NATS_URL"])
    shipped = await client.jetstream().pull_subscribe("orders.shipped", durable="invoices")
    while True:
        try:
            [message] = await shipped.fetch(1)
        except nats.errors.TimeoutError:
            continue
        await message.ack()
        await issue(json.loads(message.data), database, post)


async def issue(order, database, post):
    await database.execute(
        "INSERT INTO invoices (order_id, total) VALUES (%s, %s)", (order["id"], order["total"])
    )
    answer = await post.post("/letters", json={"customer": order["customer"], "order": order["id"]})
    answer.raise_for_status()


if __name__ == "__main__":
    asyncio.run(main())

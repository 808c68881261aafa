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
        await issue(json.loads(message.data), database, post)
        await message.ack()


async def issue(order, database, post):
    """Issue and send once: the post office answers a repeated key with the first letter."""
    await database.execute(
        "INSERT INTO invoices (order_id, total) VALUES (%s, %s) ON CONFLICT (order_id) DO NOTHING",
        (order["id"], order["total"]),
    )
    answer = await post.post(
        "/letters",
        json={"customer": order["customer"], "order": order["id"]},
        headers={"Idempotency-Key": f"order:{order['id']}:invoice"},
    )
    answer.raise_for_status()


if __name__ == "__main__":
    asyncio.run(main())

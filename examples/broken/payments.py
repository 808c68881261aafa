"""Charges the customer when an order is confirmed."""

import asyncio
import json
import os

import aio_pika
import httpx


async def on_confirmed(message: aio_pika.abc.AbstractIncomingMessage) -> None:
    async with message.process():
        order = json.loads(message.body)
        await charge(order)


async def charge(order):
    async with httpx.AsyncClient(base_url="https://pay.example", timeout=10) as client:
        answer = await client.post(
            "/charges", json={"customer": order["customer"], "amount": order["total"]}
        )
        answer.raise_for_status()


async def main():
    connection = await aio_pika.connect_robust(os.environ["AMQP_URL"])
    channel = await connection.channel()
    queue = await channel.declare_queue("orders.confirmed", durable=True)
    await queue.consume(on_confirmed)
    await asyncio.Future()


if __name__ == "__main__":
    asyncio.run(main())

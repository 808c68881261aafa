"""The insert belongs into the block."""
import json

import aio_pika
import asyncpg


class Desk:
    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool

    async def on_ticket(self, message: aio_pika.abc.AbstractIncomingMessage) -> None:
        async with message.process():
            ticket = json.loads(message.body)
            await self.pool.execute(
                "INSERT INTO tickets VALUES ($1, $2)", ticket["id"], ticket["text"]
            )


async def listen(channel: aio_pika.abc.AbstractChannel, pool: asyncpg.Pool) -> None:
    queue = await channel.declare_queue("tickets")
    await queue.consume(Desk(pool).on_ticket)

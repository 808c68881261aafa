"""Several ways to open a transaction; each is closed when the acknowledgement goes off."""
import json

import aio_pika
import asyncpg
import pika
from sqlalchemy import create_engine, insert
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session

from garden.tables import beds

engine = create_engine("postgresql://db/garden")
later = create_async_engine("postgresql+asyncpg://db/garden")


def by_session(channel, method, properties, body):
    bed = json.loads(body)
    with Session(engine) as session, session.begin():
        session.execute(insert(beds).values(id=bed["id"], plants=bed["plants"]))
    channel.basic_ack(method.delivery_tag)


def by_commit(channel, method, properties, body):
    bed = json.loads(body)
    session = Session(engine)
    try:
        session.execute(insert(beds).values(id=bed["id"], plants=bed["plants"]))
        session.commit()
    except Exception:
        session.rollback()
        channel.basic_nack(method.delivery_tag, requeue=False)
        raise
    finally:
        session.close()
    channel.basic_ack(method.delivery_tag)


async def by_async_session(message: aio_pika.abc.AbstractIncomingMessage):
    bed = json.loads(message.body)
    async with AsyncSession(later) as session:
        async with session.begin():
            await session.execute(insert(beds).values(id=bed["id"], plants=bed["plants"]))
    await message.ack()


async def by_pool(pool: asyncpg.Pool, message: aio_pika.abc.AbstractIncomingMessage):
    bed = json.loads(message.body)
    async with pool.acquire() as connection:
        async with connection.transaction():
            await connection.execute("INSERT INTO beds VALUES ($1, $2)", bed["id"], bed["plants"])
    await message.ack()


channel = pika.BlockingConnection().channel()
channel.basic_consume("beds", by_session)
channel.basic_consume("beds", by_commit)

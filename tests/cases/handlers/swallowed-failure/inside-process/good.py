"""Logged and raised again: process() rejects."""
import json
import logging

import aio_pika
import motor.motor_asyncio

routes = motor.motor_asyncio.AsyncIOMotorClient()["bus"]["routes"]


async def on_route(message: aio_pika.IncomingMessage) -> None:
    async with message.process():
        try:
            route = json.loads(message.body)
            await routes.replace_one({"_id": route["id"]}, route, upsert=True)
        except Exception:
            logging.exception("route refused")
            raise


async def listen(queue: aio_pika.abc.AbstractQueue) -> None:
    await queue.consume(on_route)

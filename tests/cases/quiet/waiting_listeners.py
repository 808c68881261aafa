"""A message for whoever waits for it now: nobody wants it after a crash."""
import asyncio
import json

import aio_pika

waiting: dict[str, asyncio.Queue] = {}


async def to_its_listener(message: aio_pika.IncomingMessage):
    async with message.process():
        line = json.loads(message.body)
        listener = waiting.get(line["job"])
        if listener is not None:
            await listener.put(line)


async def to_its_room(message: aio_pika.IncomingMessage):
    async with message.process():
        line = json.loads(message.body)
        queue = waiting.get(line["room"])
        if queue is None:
            return
        queue.put_nowait(line["text"])

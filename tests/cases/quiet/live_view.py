"""What a browser that is open right now is shown may fail: nobody gets it later anyway."""

import json
import logging

import aio_pika
import socketio

sio = socketio.AsyncServer()
log = logging.getLogger(__name__)


async def show(room, order):
    try:
        await sio.emit("order", order, room=room)
    except Exception:
        log.exception("not shown")


async def on_order(message: aio_pika.IncomingMessage):
    order = json.loads(message.body)
    await show(order["user"], order)
    await message.ack()


async def start(queue: aio_pika.Queue):
    await queue.consume(on_order)

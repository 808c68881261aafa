import json
import pathlib

import aio_pika


async def on_order(message: aio_pika.IncomingMessage):
    try:
        order = json.loads(message.body)
    except ValueError:
        pathlib.Path("/srv/refused", message.message_id).write_bytes(message.body)
        await message.reject(requeue=False)
        return
    pathlib.Path("/srv/orders", order["id"]).write_bytes(message.body)
    await message.ack()

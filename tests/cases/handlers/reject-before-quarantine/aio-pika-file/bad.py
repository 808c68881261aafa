import json
import pathlib

import aio_pika


async def on_order(message: aio_pika.IncomingMessage):
    try:
        order = json.loads(message.body)
    except ValueError:
        await message.reject(requeue=False)  # <- CL105
        pathlib.Path("/srv/refused", message.message_id).write_bytes(message.body)
        return
    pathlib.Path("/srv/orders", order["id"]).write_bytes(message.body)
    await message.ack()

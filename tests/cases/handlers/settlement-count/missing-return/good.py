import json
import pathlib

import nats


async def on_order(msg):
    order = json.loads(msg.data)
    if "id" not in order:
        await msg.term()
        return
    pathlib.Path("/srv/orders", order["id"]).write_bytes(msg.data)
    await msg.ack()


async def main():
    connection = await nats.connect("nats://mq")
    stream = connection.jetstream()
    await stream.subscribe("orders", durable="shop", cb=on_order, manual_ack=True)

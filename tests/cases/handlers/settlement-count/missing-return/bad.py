import json
import pathlib

import nats


async def on_order(msg):
    order = json.loads(msg.data)
    if "id" not in order:
        await msg.term()  # <- CL105
    pathlib.Path("/srv/orders", str(order.get("id"))).write_bytes(msg.data)
    await msg.ack()  # <- CL107


async def main():
    connection = await nats.connect("nats://mq")
    stream = connection.jetstream()
    await stream.subscribe("orders", durable="shop", cb=on_order, manual_ack=True)

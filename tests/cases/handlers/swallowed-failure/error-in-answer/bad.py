"""An inner handler turns the failure into a value, the outer one only prints it."""
import asyncio
import json

import nats

from forecast import store_forecast


async def safe(function, *arguments):
    try:
        return await function(*arguments), None
    except Exception as error:  # <- CL104
        return None, error


async def main():
    client = await nats.connect()
    subscription = await client.jetstream().pull_subscribe("weather", "w")
    while True:
        for msg in await subscription.fetch(1):
            _, error = await safe(store_forecast, json.loads(msg.data))
            if error:
                print("failed", error)
            await msg.ack()


asyncio.run(main())

"""It is asked, and the message terminated."""
import asyncio
import json

import nats

from forecast import store_forecast


async def safe(function, *arguments):
    try:
        return await function(*arguments), None
    except Exception as error:
        return None, error


async def main():
    client = await nats.connect()
    subscription = await client.jetstream().pull_subscribe("weather", "w")
    while True:
        for msg in await subscription.fetch(1):
            _, error = await safe(store_forecast, json.loads(msg.data))
            if error is not None:
                await msg.term()
                continue
            await msg.ack()


asyncio.run(main())

"""What failed is sent to a topic of its own."""
import logging

import faust

from pantry import stock

app = faust.App("pantry", broker="kafka://k")
topic = app.topic("jars")
refused = app.topic("jars-dead")


@app.agent(topic)
async def count(jars):
    async for jar in jars:
        try:
            await stock.enter(jar)
        except Exception:
            logging.exception("jar set aside")
            await refused.send(value=jar)

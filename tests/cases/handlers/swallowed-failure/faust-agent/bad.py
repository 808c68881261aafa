"""The agent goes on with the next event, which acknowledges the one that failed."""
import logging

import faust

from pantry import stock

app = faust.App("pantry", broker="kafka://k")
topic = app.topic("jars")


@app.agent(topic)
async def count(jars):
    async for jar in jars:
        try:
            await stock.enter(jar)
        except Exception:  # <- CL104
            logging.exception("jar skipped")

"""A faust agent acknowledges an event when the next one is asked for."""
import faust
from faust import Record

app = faust.App("meters", broker="kafka://k")


class Reading(Record):
    meter: str
    kwh: float


totals = app.Table("totals", default=float)


@app.agent(app.topic("readings", value_type=Reading))
async def add(readings):
    async for reading in readings:
        totals[reading.meter] += reading.kwh

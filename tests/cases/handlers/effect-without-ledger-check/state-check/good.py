"""The stored state is asked before the courier is called."""
import json

import aiohttp
import aio_pika
from tortoise import Model, fields


class Parcel(Model):
    number = fields.CharField(20, primary_key=True)
    state = fields.CharField(20)


async def on_parcel(message: aio_pika.abc.AbstractIncomingMessage) -> None:
    async with message.process():
        data = json.loads(message.body)
        parcel = await Parcel.get(number=data["number"])
        if parcel.state == "ordered":
            return
        async with aiohttp.ClientSession() as http:
            await http.post("https://courier.example/pickups", json=data)
        parcel.state = "ordered"
        await parcel.save()


async def listen(queue: aio_pika.abc.AbstractQueue) -> None:
    await queue.consume(on_parcel)

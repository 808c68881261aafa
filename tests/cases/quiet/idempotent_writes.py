"""PUT and DELETE under the message's own name give the same state each time."""
import json

import aio_pika
import aiohttp


async def on_door(message: aio_pika.abc.AbstractIncomingMessage) -> None:
    async with message.process():
        door = json.loads(message.body)
        async with aiohttp.ClientSession("https://gate.example") as http:
            if door["closed"]:
                await http.delete(f"/openings/{door['id']}")
            else:
                await http.put(f"/openings/{door['id']}", json={"until": door["until"]})


async def listen(queue: aio_pika.abc.AbstractQueue) -> None:
    await queue.consume(on_door)

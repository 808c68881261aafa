import pathlib

from redis.asyncio import Redis


class Worker:
    def __init__(self, name):
        self.redis = Redis()
        self.name = name

    async def run(self):
        await self.take("0")
        while True:
            await self.take(">")

    async def take(self, start):
        found = await self.redis.xreadgroup(
            groupname="shop", consumername=self.name, streams={"orders": start}, count=10
        )
        for stream, entries in found:
            for entry, fields in entries:
                pathlib.Path("/srv/orders", entry.decode()).write_bytes(fields[b"text"])
                await self.redis.xack(stream, "shop", entry)

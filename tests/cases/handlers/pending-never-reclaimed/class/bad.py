import pathlib

from redis.asyncio import Redis


class Worker:
    def __init__(self, name):
        self.redis = Redis()
        self.name = name

    async def run(self):
        while True:
            found = await self.redis.xreadgroup(  # <- CL112
                groupname="shop", consumername=self.name, streams={"orders": ">"}, count=10
            )
            for stream, entries in found:
                for entry, fields in entries:
                    pathlib.Path("/srv/orders", entry.decode()).write_bytes(fields[b"text"])
                    await self.redis.xack(stream, "shop", entry)

"""NOACK on the group read of walrus' plain client."""
import redis.asyncio as redis


class Votes:
    def __init__(self):
        self.client = redis.Redis()

    async def turn(self):
        for _, rows in await self.client.xreadgroup(
            "votes", "w", {"votes": ">"}, 10, 1000, True  # <- CL102
        ):
            for _, fields in rows:
                await self.client.hset("tally", fields[b"voter"], fields[b"choice"])

"""Acknowledged per entry."""
import redis.asyncio as redis


class Votes:
    def __init__(self):
        self.client = redis.Redis()

    async def turn(self):
        for name, rows in await self.client.xreadgroup("votes", "w", {"votes": ">"}, 10, 1000):
            for number, fields in rows:
                await self.client.hset("tally", fields[b"voter"], fields[b"choice"])
                await self.client.xack(name, "votes", number)

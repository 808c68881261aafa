"""A stream entry leaves the pending list before its hash is written."""
import redis


class Shelf:
    def __init__(self, url):
        self.store = redis.Redis.from_url(url, decode_responses=True)

    def turn(self):
        rows = self.store.xreadgroup("shelf", "one", {"returns": ">"}, count=1, block=1000)
        for stream, entries in rows:
            for number, fields in entries:
                self.store.xack(stream, "shelf", number)  # <- CL101
                self.store.hset(f"book:{fields['isbn']}", mapping=fields)

    def run(self):
        while True:
            self.turn()


Shelf("redis://redis").run()

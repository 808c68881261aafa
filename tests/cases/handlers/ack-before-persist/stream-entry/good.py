"""Both in one transaction, with the acknowledgement last."""
import redis


class Shelf:
    def __init__(self, url):
        self.store = redis.Redis.from_url(url, decode_responses=True)

    def turn(self):
        rows = self.store.xreadgroup("shelf", "one", {"returns": ">"}, count=1, block=1000)
        for stream, entries in rows:
            for number, fields in entries:
                with self.store.pipeline(transaction=True) as unit:
                    unit.hset(f"book:{fields['isbn']}", mapping=fields)
                    unit.xack(stream, "shelf", number)
                    unit.execute()

    def run(self):
        while True:
            self.turn()


Shelf("redis://redis").run()

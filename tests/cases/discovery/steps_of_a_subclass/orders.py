import json

import redis
from base import Worker


class Orders(Worker):
    def __init__(self):
        self.redis = redis.Redis()

    def run(self, queue):  # <- handler
        print("started")
        super().run(queue)

    def read(self, queue):  # <- handler
        return json.loads(self.redis.blpop("orders", timeout=1)[1])

    def handle(self, body):  # <- handler
        print(body["id"])

"""A private method that nothing calls any more receives nothing."""
import pathlib

import redis


class Consumer:
    def __init__(self):
        self.redis = redis.Redis()

    def run(self):
        while True:
            message = self.redis.brpoplpush("jobs", "jobs:held")
            self._store(message)
            self.redis.lrem("jobs:held", 1, message)

    def _store(self, message):
        pathlib.Path("/srv/jobs").write_bytes(message)

    def _run_old(self):
        while True:
            _, message = self.redis.blpop("jobs")
            self._store(message)


class Slower(Consumer):
    def _run_slowly(self):
        message = self.redis.lpop("jobs")
        pathlib.Path("/srv/slow").write_bytes(message)

    def __run_first(self):
        message = self.redis.rpop("jobs")
        pathlib.Path("/srv/first").write_bytes(message)

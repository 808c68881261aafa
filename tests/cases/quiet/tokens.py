"""What is popped is a right to go on, and is given back; messages come from elsewhere."""
import pathlib

import redis

r = redis.Redis()
TOKENS = "pool:tokens"


class Semaphore:
    def __init__(self, name):
        self.tokens_key = f"{name}:tokens"

    def acquire(self):
        token = r.brpop([self.tokens_key], timeout=0)
        pathlib.Path("/srv/held", token[1].decode()).write_bytes(token[1])
        return token[1]


def enter():
    token = r.blpop(TOKENS, timeout=5)
    pathlib.Path("/srv/entered").write_bytes(token[1])


def take():
    permit = r.lpop("printer:permits")
    pathlib.Path("/srv/printing").write_bytes(permit)


def work():
    while True:
        message = r.brpoplpush("jobs", "jobs:held")
        pathlib.Path("/srv/jobs").write_bytes(message)
        r.lrem("jobs:held", 1, message)

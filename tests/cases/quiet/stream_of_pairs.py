"""XREADGROUP answers with pairs of a stream and its messages; each message is its own delivery."""
import pathlib

import redis

r = redis.Redis()


def store(identity, fields):
    pathlib.Path("/srv/items", identity.decode()).write_bytes(fields[b"body"])


def work():
    while True:
        answer = r.xreadgroup("group", "me", {"items": ">"}, count=10, block=1000)
        if not answer:
            continue
        for identity, fields in answer[0][1]:
            if fields.get(b"skip"):
                r.xack("items", "group", identity)
                continue
            store(identity, fields)
            r.xack("items", "group", identity)

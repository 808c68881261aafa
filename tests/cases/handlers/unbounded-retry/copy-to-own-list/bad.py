"""A list as a queue: pushed back, popped again."""
import json
import sqlite3

import redis

r = redis.Redis()
db = sqlite3.connect("/srv/jobs.db", isolation_level=None)


def run():
    while True:
        raw = r.blmove("jobs", "jobs:busy", 5)
        if raw is None:
            continue
        job = json.loads(raw)
        try:
            db.execute("INSERT OR REPLACE INTO jobs (id, text) VALUES (?, ?)", (job["id"], job["text"]))
        except sqlite3.OperationalError:
            r.lpush("jobs", raw)  # <- CL302
        r.lrem("jobs:busy", 1, raw)

"""LPOP takes the job out of Redis for good."""
import json
import pathlib
import time

import redis

queue = redis.StrictRedis()


def work_off():
    while True:
        raw = queue.lpop("prints")  # <- CL102
        if raw is None:
            time.sleep(1)
            continue
        job = json.loads(raw)
        pathlib.Path(f"/var/spool/prints/{job['id']}.ps").write_text(job["page"])

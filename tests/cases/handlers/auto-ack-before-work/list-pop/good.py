"""LMOVE keeps it in a second list until it is printed."""
import json
import pathlib

import redis

queue = redis.StrictRedis()


def work_off():
    while True:
        raw = queue.blmove("prints", "prints:mine", 5)
        if raw is None:
            continue
        job = json.loads(raw)
        pathlib.Path(f"/var/spool/prints/{job['id']}.ps").write_text(job["page"])
        queue.lrem("prints:mine", 1, raw)

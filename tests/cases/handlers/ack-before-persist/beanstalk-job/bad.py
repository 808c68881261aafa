import json
import pathlib

import greenstalk


def run():
    client = greenstalk.Client(("127.0.0.1", 11300))
    while True:
        job = client.reserve()
        order = json.loads(job.body)
        client.delete(job)  # <- CL101
        pathlib.Path("/srv/orders", order["id"]).write_text(job.body)

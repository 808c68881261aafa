"""rq runs a job again after a crash; its file has another name then."""
import pathlib
import time

from redis import Redis
from rq import Queue, Retry


def scan(page):
    name = "scan-%d.tif" % time.time_ns()  # <- CL201
    pathlib.Path("/srv/scans", name).write_bytes(page)


def order(page):
    Queue(connection=Redis()).enqueue(scan, page, retry=Retry(max=2))

"""Tasks of libraries that acknowledge late and limit their own retries."""
import pathlib

import arq
import pgmq
from rq import Queue, Retry
from redis import Redis

queue = Queue(connection=Redis())


def bind(book):
    pathlib.Path(f"/srv/bound/{book}").touch()


def order(book):
    queue.enqueue(bind, book, retry=Retry(max=3))


async def fold(ctx, sheet):
    if ctx["job_try"] > 3:
        return
    pathlib.Path(f"/srv/folded/{sheet}").touch()


class WorkerSettings:
    functions = [arq.func(fold, max_tries=3)]


def cut():
    pages = pgmq.PGMQueue()
    while True:
        message = pages.read("pages", vt=60)
        if message is None:
            continue
        pathlib.Path(f"/srv/cut/{message.message['id']}").touch()
        pages.delete("pages", message.msg_id)

"""Retries that name a reason or have a limit; late acknowledgement."""
import pathlib

import requests
from celery import Celery
from celery.exceptions import Reject

app = Celery("feeds", broker="amqp://mq//")
app.conf.task_acks_late = True
app.conf.task_reject_on_worker_lost = True


@app.task(bind=True, max_retries=3)
def fetch(self, feed_id, url):
    try:
        page = requests.get(url, timeout=5)
        page.raise_for_status()
    except requests.ConnectionError as error:
        raise self.retry(exc=error, countdown=2**self.request.retries)
    pathlib.Path("/srv/feeds", f"{feed_id}.xml").write_bytes(page.content)


@app.task(autoretry_for=(ConnectionError,), retry_backoff=True, max_retries=5)
def store(feed_id, text):
    pathlib.Path("/srv/feeds", f"{feed_id}.txt").write_text(text)


@app.task(bind=True)
def parse(self, feed_id, text):
    if not text:
        raise Reject("empty", requeue=False)
    pathlib.Path("/srv/feeds", f"{feed_id}.json").write_text(text)

"""Sent anew without an exception, or let through after a look."""

import sqlite3

import requests
from celery import Celery

app = Celery("feeds", broker="amqp://")
database = sqlite3.connect("/srv/feeds.db", isolation_level=None)


@app.task(bind=True, acks_late=True)
def fetch(self, feed, url):
    try:
        reply = requests.get(url, timeout=5)
        if reply.status_code == 503:
            self.retry(countdown=60, throw=False)
            return
        database.execute("UPDATE feeds SET state = 'fresh' WHERE id = ?", (feed,))
    except Exception:
        database.execute("UPDATE feeds SET state = 'broken' WHERE id = ?", (feed,))


@app.task(bind=True, acks_late=True)
def fetch_again(self, feed, url):
    try:
        reply = requests.get(url, timeout=5)
        if reply.status_code == 503:
            raise self.retry(countdown=60)
        database.execute("UPDATE feeds SET state = 'fresh' WHERE id = ?", (feed,))
    except Exception:
        database.execute("UPDATE feeds SET state = 'waiting' WHERE id = ?", (feed,))
        raise

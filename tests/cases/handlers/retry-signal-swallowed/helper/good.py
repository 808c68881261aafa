import sqlite3

import requests
from celery import Celery

app = Celery("feeds", broker="amqp://")
database = sqlite3.connect("/srv/feeds.db", isolation_level=None)


def load(task, url):
    reply = requests.get(url, timeout=5)
    if reply.status_code == 503:
        raise task.retry(countdown=60)
    return reply


@app.task(bind=True, acks_late=True)
def fetch(self, feed, url):
    try:
        load(self, url)
        database.execute("UPDATE feeds SET state = 'fresh' WHERE id = ?", (feed,))
    except requests.RequestException:
        database.execute("UPDATE feeds SET state = 'broken' WHERE id = ?", (feed,))

import sqlite3

import dramatiq
import requests

database = sqlite3.connect("/srv/feeds.db", isolation_level=None)


@dramatiq.actor
def fetch(feed, url):
    try:
        reply = requests.get(url, timeout=5)
        busy = reply.status_code == 503
    except Exception:
        database.execute("UPDATE feeds SET state = 'broken' WHERE id = ?", (feed,))
        return
    if busy:
        raise dramatiq.Retry("busy", delay=60_000)
    database.execute("UPDATE feeds SET state = 'fresh' WHERE id = ?", (feed,))

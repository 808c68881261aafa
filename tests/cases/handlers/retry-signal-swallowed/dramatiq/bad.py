import logging
import sqlite3

import dramatiq
import requests

database = sqlite3.connect("/srv/feeds.db", isolation_level=None)


@dramatiq.actor
def fetch(feed, url):
    try:
        reply = requests.get(url, timeout=5)
        if reply.status_code == 503:
            raise dramatiq.Retry("busy", delay=60_000)
        database.execute("UPDATE feeds SET state = 'fresh' WHERE id = ?", (feed,))
    except Exception:  # <- CL108
        logging.exception("feed %s", feed)

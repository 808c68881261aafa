"""The disk may come back; the text will not change."""
import json

from celery import shared_task


@shared_task(bind=True, acks_late=True, max_retries=4)
def enter(self, raw):
    row = json.loads(raw)
    try:
        with open(f"/srv/rows/{row['id']}", "w") as file:
            file.write(raw)
    except OSError as error:
        raise self.retry(exc=error)

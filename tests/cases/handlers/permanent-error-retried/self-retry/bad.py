"""Whatever goes wrong, also what will always go wrong, is tried four times."""
import json

from celery import shared_task


@shared_task(bind=True, acks_late=True, max_retries=4)
def enter(self, raw):
    try:
        row = json.loads(raw)
        with open(f"/srv/rows/{row['id']}", "w") as file:
            file.write(raw)
    except Exception as error:
        raise self.retry(exc=error)  # <- CL303

"""The count of attempts decides how long to wait, and stands in the record, not in its name."""
import json
import pathlib

from celery import shared_task


@shared_task(bind=True, acks_late=True, max_retries=4)
def export(self, job_id, rows):
    target = pathlib.Path("/srv/exports") / f"{job_id}.json"
    target.write_text(json.dumps({"rows": rows, "attempt": self.request.retries}))

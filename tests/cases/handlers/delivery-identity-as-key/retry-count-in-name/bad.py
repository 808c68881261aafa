"""Each attempt leaves a file of its own."""
import pathlib

from celery import shared_task


@shared_task(bind=True, acks_late=True, max_retries=4)
def export(self, job_id, rows):
    target = pathlib.Path("/srv/exports") / f"{job_id}-{self.request.retries}.csv"  # <- CL202
    target.write_text("\n".join(rows))

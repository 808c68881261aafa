"""Nothing says when to acknowledge, so Celery does it first."""
import pathlib

from celery import shared_task


@shared_task(bind=True, max_retries=3)  # <- CL103
def typeset(self, book_id, text):
    pathlib.Path(f"/srv/books/{book_id}.tex").write_text(text)

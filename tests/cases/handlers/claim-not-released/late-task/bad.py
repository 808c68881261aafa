"""A task that is put back when its worker fails skips itself."""
import redis
from celery import shared_task

r = redis.Redis()


@shared_task(bind=True, acks_late=True, autoretry_for=(Exception,))  # <- CL303
def archive(self, page_id, text):
    if not r.set(f"archive:{page_id}", "1", nx=True):  # <- CL404
        return
    with open(f"/mnt/archive/{page_id}", "w") as file:
        file.write(text)

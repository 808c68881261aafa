"""While the claim is held the task is asked for later: it is a lock, and it is released."""
import redis
from celery import shared_task

r = redis.Redis()


@shared_task(bind=True, acks_late=True, autoretry_for=(OSError,))
def archive(self, page_id, text):
    if not r.set(f"archive:{page_id}", "1", nx=True, ex=60):
        raise self.retry(countdown=90)
    try:
        with open(f"/mnt/archive/{page_id}", "w") as file:
            file.write(text)
    finally:
        r.delete(f"archive:{page_id}")

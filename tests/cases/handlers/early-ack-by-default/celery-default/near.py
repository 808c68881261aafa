"""The configuration of the app speaks for all its tasks."""
import pathlib

from celery import Celery

app = Celery("books", broker="amqp://mq//")
app.conf.update(task_acks_late=True, worker_prefetch_multiplier=1)


@app.task
def typeset(book_id, text):
    pathlib.Path(f"/srv/books/{book_id}.tex").write_text(text)

"""The base class of the tasks asks for late acknowledgement."""
import pathlib

from celery import Celery, Task

app = Celery("books", broker="amqp://mq//")


class Safe(Task):
    acks_late = True
    reject_on_worker_lost = True


@app.task(base=Safe)
def typeset(book_id, text):
    pathlib.Path(f"/srv/books/{book_id}.tex").write_text(text)

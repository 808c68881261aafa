"""Without a limit, or with one that is not to be seen."""

import os
import subprocess

from celery import Celery

app = Celery("films", broker="redis://redis/0")
app.conf.broker_transport_options = {"visibility_timeout": 1800}


@app.task(acks_late=True)
def render(film):
    subprocess.run(["render-film", "--out", f"/srv/films/{film}.mp4", film], check=True)


@app.task(acks_late=True, time_limit=int(os.environ["LIMIT"]))
def trailer(film):
    subprocess.run(["render-film", "--out", f"/srv/films/{film}-t.mp4", film], check=True)

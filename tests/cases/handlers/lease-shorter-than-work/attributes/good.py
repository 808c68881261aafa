import subprocess

from celery import Celery

app = Celery("films", broker="redis://redis/0")
app.conf.task_acks_late = True
app.conf.task_time_limit = 2 * 3600
app.conf.broker_transport_options = {
    "visibility_timeout": 3 * 3600,
    "queue_order_strategy": "priority",
}


@app.task
def render(film):
    subprocess.run(["render-film", "--out", f"/srv/films/{film}.mp4", film], check=True)

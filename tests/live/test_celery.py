"""rules/libraries/celery.toml against RabbitMQ."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

pytest.importorskip("celery")
pytest.importorskip("kombu")
from celery.signals import task_prerun

pytestmark = pytest.mark.live

TASK = """
import sys
import time
from celery import Celery
from celery.exceptions import Ignore, Reject
from kombu import Queue

queue = {queue!r}
app = Celery("live", broker={url!r})
dead = {{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": queue + ".dead"}}
app.conf.task_queues = [Queue(queue, routing_key=queue, queue_arguments=dead, durable=False)]
app.conf.task_default_queue = queue
app.conf.broker_heartbeat = 1
app.conf.broker_heartbeat_checkrate = 10
app.conf.worker_enable_remote_control = False
app.conf.worker_redirect_stdouts = False
app.conf.worker_hijack_root_logger = False
app.conf.broker_connection_retry_on_startup = True

@app.task(name=queue{options})
def work(number):
    {body}
"""


@pytest.mark.parametrize(
    ("options", "body", "fate"),
    [
        pytest.param("", "return", "ack", id="a return acknowledges"),
        pytest.param(", acks_late=True", "return", "ack", id="acks_late: at the end"),
        pytest.param(
            ", acks_late=True",
            "raise ValueError",
            "ack",
            id="acks_late: a failure acknowledges too",
        ),
        pytest.param(
            ", acks_late=True, acks_on_failure_or_timeout=False",
            "raise ValueError",
            "reject",
            id="unless acks_on_failure_or_timeout is off: then it is rejected",
        ),
        pytest.param(", acks_late=True", "raise Reject()", "reject", id="Reject does not put back"),
        pytest.param(
            ", acks_late=True",
            "raise Reject(requeue=True)",
            "requeue",
            id="Reject(requeue=True) does",
        ),
        pytest.param(", acks_late=True", "raise Ignore()", "ack", id="Ignore acknowledges"),
    ],
)
def test_task(rabbit, snippet, patience, until, options, body, fate):
    from celery.contrib.testing.worker import start_worker

    source = TASK.format(url=rabbit.url, queue=rabbit.queue, options=options, body=body)
    read = snippet(source)
    started = []

    def note(**_: object) -> None:
        started.append(1)

    task_prerun.connect(note)
    try:
        read.names["work"].delay(1)
        with start_worker(read.names["app"], pool="solo", perform_ping_check=False, loglevel=50):
            assert until(lambda: started), "the task was not run"
            until(lambda: len(started) > 1, patience(fate))
    finally:
        task_prerun.disconnect(note)
    assert ("requeue" if len(started) > 1 else rabbit.fate()) == fate
    assert read.says("work", fails="ValueError" in body) == {fate}


WORKER = [sys.executable, "-m", "celery", "-A", "app", "worker", "-c", "1", "-l", "critical"]


@pytest.mark.parametrize(
    ("options", "pool", "left"),
    [
        pytest.param("", "prefork", 0, id="a task is acknowledged before it runs: it is lost"),
        pytest.param(", acks_late=True", "prefork", 1, id="acks_late=True: it comes back"),
        pytest.param("", "solo", 1, id="the solo pool sends nothing while it runs a task"),
    ],
)
def test_a_worker_is_killed_in_the_middle_of_a_task(rabbit, snippet, tmp_path, options, pool, left):
    body = 'print("here", flush=True)\n    time.sleep(60)'
    source = TASK.format(url=rabbit.url, queue=rabbit.queue, options=options, body=body)
    read = snippet(source)
    read.names["work"].delay(1)
    worker = subprocess.Popen(
        [*WORKER, "-P", pool, "--without-gossip", "--without-mingle", "--without-heartbeat"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    patience = threading.Timer(15, os.killpg, (worker.pid, signal.SIGKILL))
    patience.start()
    try:
        assert "here\n" in worker.stdout, "the task was not run"
        time.sleep(0.3)
    finally:
        patience.cancel()
        os.killpg(worker.pid, signal.SIGKILL)
        worker.communicate()
    assert rabbit.left() == left
    kinds = [event["by"] for event in read.events("work") if event["outcome"] != "failed"]
    assert kinds == (["library"] if options else ["default"])

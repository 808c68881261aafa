"""The library says that the last attempt has failed; a log line is all that is left."""
import logging

import requests
from celery import Celery
from tenacity import RetryError, retry, stop_after_attempt

from lighthouse import lamp

app = Celery("lighthouse", broker="amqp://")
LOG = logging.getLogger(__name__)


@app.task(bind=True, max_retries=5, acks_late=True)
def shine(self, light):
    try:
        lamp.shine(light)
    except requests.RequestException:
        try:
            self.retry()
        except self.MaxRetriesExceededError:  # <- CL104
            LOG.error("dark: %s", light)


@app.task(bind=True, max_retries=5, acks_late=True)
def blink(self, light):
    try:
        lamp.shine(light)
    except requests.RequestException as error:
        again(self, error)


def again(task, error):
    try:
        raise task.retry(exc=error)
    except task.MaxRetriesExceededError:  # <- CL104
        LOG.exception("dark")


@retry(stop=stop_after_attempt(3))
def turn(light):
    lamp.turn(light)


@app.task(acks_late=True)
def rotate(light):
    try:
        turn(light)
    except RetryError:  # <- CL104
        LOG.error("stands still")

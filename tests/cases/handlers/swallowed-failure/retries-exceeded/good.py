"""The last failure is kept, or leaves the task."""
import logging

import requests
from celery import Celery

from lighthouse import lamp, logbook

app = Celery("lighthouse", broker="amqp://")
LOG = logging.getLogger(__name__)


@app.task(bind=True, max_retries=5, acks_late=True)
def shine(self, light):
    try:
        lamp.shine(light)
    except requests.RequestException:
        try:
            self.retry()
        except self.MaxRetriesExceededError:
            logbook.mark_as_failed(light)


@app.task(bind=True, max_retries=5, acks_late=True)
def blink(self, light):
    try:
        lamp.shine(light)
    except requests.RequestException as error:
        try:
            self.retry(exc=error)
        except self.MaxRetriesExceededError:
            LOG.exception("dark")
            raise

"""Acknowledged late, and a claim tells the second attempt that there was a first one."""
import smtplib

import redis
from celery import Celery

app = Celery("invitations")
claims = redis.Redis()


@app.task(bind=True, max_retries=4, acks_late=True)
def invite(self, invitation, address, text):
    try:
        if not claims.set(f"invited:{invitation}", 1, nx=True):
            return
        with smtplib.SMTP("relay") as relay:
            relay.sendmail("club@example.org", [address], text)
    except smtplib.SMTPConnectError as error:
        raise self.retry(exc=error, countdown=60) from error

"""Acknowledged early and tried again after a lost answer: the second attempt sends a second mail."""
import smtplib

from celery import Celery

app = Celery("invitations")


@app.task(bind=True, max_retries=4)  # <- CL103
def invite(self, address, text):
    try:
        with smtplib.SMTP("relay") as relay:
            relay.sendmail("club@example.org", [address], text)  # <- CL401
    except smtplib.SMTPConnectError as error:
        raise self.retry(exc=error, countdown=60) from error


@app.task(autoretry_for=(ConnectionError,), retry_backoff=True)  # <- CL103
def remind(address, text):
    with smtplib.SMTP("relay") as relay:
        relay.sendmail("club@example.org", [address], text)  # <- CL401

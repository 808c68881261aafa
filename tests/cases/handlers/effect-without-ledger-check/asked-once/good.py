"""Whether the reminder was sent is asked at each delivery."""
import pathlib
import smtplib
from functools import cache

import dramatiq


@cache
def version():
    path = pathlib.Path("/srv", "version")
    if path.exists():
        return path.read_text()
    return ""


def sent(reminder):
    path = pathlib.Path("/srv", "sent", reminder)
    if path.exists():
        return path.read_text()
    return ""


@dramatiq.actor
def remind(reminder, address):
    if sent(reminder):
        return
    pathlib.Path("/srv/sent", reminder).write_text("claimed")
    with smtplib.SMTP("relay") as relay:
        relay.sendmail("shop", address, f"{version()} {reminder}")

"""Whether a file of the build is there is asked once for the process, not for the reminder."""
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


@dramatiq.actor
def remind(reminder, address):
    with smtplib.SMTP("relay") as relay:
        relay.sendmail("shop", address, f"{version()} {reminder}")  # <- CL401

"""Acknowledged early and tried again: what fails behind the upload leaves another file at each attempt."""
import pathlib
import uuid

import requests
from celery import Celery

app = Celery("scans")


@app.task(bind=True)  # <- CL103
def keep(self, scan, pages):
    name = f"{uuid.uuid4()}.pdf"  # <- CL201
    pathlib.Path("/srv/scans", name).write_bytes(pages)
    try:
        requests.get(f"https://index.example/{scan}/pages", timeout=5).raise_for_status()
    except requests.ConnectionError as error:
        raise self.retry(exc=error) from error

"""The limit is taken away in the class of the task."""
import requests
from celery import Task


class Rates(Task):
    acks_late = True
    autoretry_for = (requests.ConnectionError,)
    max_retries = None  # <- CL302

    def run(self, currency):
        reply = requests.get(f"https://rates.example/{currency}", timeout=5)
        with open(f"/srv/rates/{currency}.json", "w") as file:
            file.write(reply.text)

"""The insert comes after the effect: the second delivery has sent by the time it fails."""
import sqlite3
import urllib.request

from karton.core import Karton, Task


class Siren(Karton):
    identity = "siren"
    filters = [{"type": "alarm"}]

    def process(self, task: Task) -> None:  # <- CL103
        urllib.request.urlopen("https://siren.example/on", data=b"1")  # <- CL401
        with sqlite3.connect("sirens.db") as db:
            db.execute("INSERT INTO sounded VALUES (?)", (task.payload["alarm"],))

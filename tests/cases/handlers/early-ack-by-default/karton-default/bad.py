"""karton takes the task off the list before `process` runs."""
import sqlite3

from karton.core import Karton, Task


class Siren(Karton):
    identity = "siren"
    filters = [{"type": "alarm"}]

    def process(self, task: Task) -> None:  # <- CL103
        with sqlite3.connect("sirens.db") as db:
            db.execute("INSERT INTO sounded VALUES (?)", (task.payload["alarm"],))

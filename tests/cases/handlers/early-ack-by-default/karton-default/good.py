"""An actor is acknowledged when it has run."""
import sqlite3

import dramatiq


@dramatiq.actor
def sound(alarm):
    with sqlite3.connect("sirens.db") as db:
        db.execute("INSERT INTO sounded VALUES (?)", (alarm,))

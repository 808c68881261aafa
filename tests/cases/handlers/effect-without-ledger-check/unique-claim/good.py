"""The unique insert is the claim; a duplicate ends the task."""
import sqlite3
import urllib.request

import dramatiq


@dramatiq.actor
def siren(alarm):
    try:
        with sqlite3.connect("sirens.db") as db:
            db.execute("INSERT INTO sounded VALUES (?)", (alarm,))
    except sqlite3.IntegrityError:
        return
    urllib.request.urlopen("https://siren.example/on", data=b"1")

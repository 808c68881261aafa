"""The insert comes after the effect: the second delivery has sent by the time it fails."""
import sqlite3
import urllib.request

import dramatiq


@dramatiq.actor
def sound(alarm):
    urllib.request.urlopen("https://siren.example/on", data=b"1")  # <- CL401
    with sqlite3.connect("sirens.db") as db:
        db.execute("INSERT INTO sounded VALUES (?)", (alarm,))

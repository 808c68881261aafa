"""Each statement commits by itself, and the first one takes the row away."""
import requests
import psycopg

ferry = psycopg.connect("dbname=ferry", autocommit=True)


def board(gate):
    while True:
        ticket = ferry.execute(  # <- CL101
            "DELETE FROM tickets WHERE id IN (SELECT id FROM tickets WHERE gate = %s LIMIT 1"
            " FOR UPDATE SKIP LOCKED) RETURNING id",
            (gate,),
        ).fetchone()
        if ticket is None:
            return
        ferry.execute("INSERT INTO boarded (ticket) VALUES (%s)", ticket)
        requests.get("https://gate.example/state", timeout=3)

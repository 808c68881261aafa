"""Messages that cannot be handled automatically, kept where a person finds them.

CREATE TABLE quarantine (
    message text PRIMARY KEY,
    reason text,
    payload_version text,
    attempts int,
    next_check text,
    body text
)
"""

import psycopg


class Quarantine:
    def __init__(self, dsn: str) -> None:
        self.database = psycopg.connect(dsn, autocommit=True)

    def set_aside(self, message, reason, body, *, version=None, attempts=1, next_check=""):
        self.database.execute(
            "INSERT INTO quarantine (message, reason, payload_version, attempts, next_check, body)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (message) DO NOTHING",
            (message, reason, version, attempts, next_check, body),
        )

"""The ledger: which effects were begun, and what came of them. All workers of the shop share it.

    CREATE TABLE effects (key text PRIMARY KEY, outcome text)

A row without an outcome means that a worker died, or lost its connection, between the effect and
its record. Nobody knows then whether the effect happened, so a person has to look.
"""

import psycopg


class Unknown(Exception):
    """An earlier delivery began this effect, and nothing is known of its outcome."""


class Ledger:
    def __init__(self, dsn: str) -> None:
        self.database = psycopg.connect(dsn, autocommit=True)

    def begin(self, key: str) -> bool:
        """Return True if the effect has to be done now, False if it was done before.

        Raises:
            Unknown: it was begun, but not finished.
        """
        claimed = self.database.execute(
            "INSERT INTO effects (key) VALUES (%s) ON CONFLICT (key) DO NOTHING", (key,)
        )
        if claimed.rowcount == 1:
            return True
        row = self.database.execute("SELECT outcome FROM effects WHERE key = %s", (key,)).fetchone()
        if row[0] is None:
            raise Unknown(key)
        return False

    def finish(self, key: str, outcome: str) -> None:
        self.database.execute("UPDATE effects SET outcome = %s WHERE key = %s", (outcome, key))

    def forget(self, key: str) -> None:
        """Take back `begin`: the effect certainly did not happen, and may be tried again."""
        self.database.execute("DELETE FROM effects WHERE key = %s", (key,))

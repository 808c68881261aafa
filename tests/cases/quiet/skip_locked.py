"""A table as a queue: the row is locked until the commit, and marked in the same transaction."""
import pyodbc

from kiln import fire

CONNECTION = pyodbc.connect("DSN=pottery")
NEXT = "SELECT id, clay FROM pots WHERE fired = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"


def turn():
    cursor = CONNECTION.cursor()
    row = cursor.execute(NEXT).fetchone()
    if row is None:
        return False
    fire(row.id, row.clay)
    cursor.execute("UPDATE pots SET fired = 1 WHERE id = ?", row.id)
    CONNECTION.commit()
    return True


while turn():
    pass

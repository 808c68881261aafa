"""The row is only marked: a reaper gives it out again if its lease runs out."""
import psycopg2

TAKE = """
    UPDATE proofs SET leased_until = now() + interval '5 minutes' WHERE id = (
        SELECT id FROM proofs WHERE leased_until < now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING id, sheet
"""


class Press:
    def __init__(self, dsn):
        self.database = psycopg2.connect(dsn)

    def turn(self):
        cursor = self.database.cursor()
        cursor.execute(TAKE)
        proof = cursor.fetchone()
        self.database.commit()
        if proof:
            cursor.execute("INSERT INTO prints (proof, sheet) VALUES (%s, %s)", proof)
            cursor.execute("DELETE FROM proofs WHERE id = %s", (proof[0],))
            self.database.commit()

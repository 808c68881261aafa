"""Both in one transaction."""
import psycopg2

TAKE = """
    DELETE FROM proofs USING (
        SELECT id FROM proofs WHERE ready ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS next WHERE proofs.id = next.id RETURNING proofs.id, proofs.sheet
"""


class Press:
    def __init__(self, dsn):
        self.database = psycopg2.connect(dsn)

    def turn(self):
        cursor = self.database.cursor()
        cursor.execute(TAKE)
        proof = cursor.fetchone()
        if proof:
            cursor.execute("INSERT INTO prints (proof, sheet) VALUES (%s, %s)", proof)
        self.database.commit()

"""Books a shipment for each packed order. The queue is a table."""

import os
import time

import psycopg

NEXT = """
DELETE FROM packed_orders WHERE id = (
    SELECT id FROM packed_orders ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id, address
"""
BOOK = "INSERT INTO shipments (order_id, address) VALUES (%s, %s)"


def main():
    database = psycopg.connect(os.environ["DATABASE_URL"])
    while True:
        order = database.execute(NEXT).fetchone()
        database.commit()
        if order is None:
            time.sleep(1)
            continue
        database.execute(BOOK, order)
        database.commit()


if __name__ == "__main__":
    main()

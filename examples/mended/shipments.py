"""Books a shipment for each packed order. The queue is a table."""

import os
import time

import psycopg

NEXT = "SELECT id, address FROM packed_orders ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
BOOK = "INSERT INTO shipments (order_id, address) VALUES (%s, %s)"
REMOVE = "DELETE FROM packed_orders WHERE id = %s"


def main():
    database = psycopg.connect(os.environ["DATABASE_URL"])
    while True:
        order = database.execute(NEXT).fetchone()
        if order is None:
            database.rollback()
            time.sleep(1)
            continue
        database.execute(BOOK, order)
        database.execute(REMOVE, (order[0],))
        database.commit()


if __name__ == "__main__":
    main()

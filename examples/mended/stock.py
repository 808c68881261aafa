"""Takes what was sold off the shelf."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import psycopg
from kafka import KafkaConsumer

database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)


def take(sale):
    database.execute(
        "INSERT INTO withdrawals (sale, item, amount) VALUES (%s, %s, %s)"
        " ON CONFLICT (sale) DO NOTHING",
        (sale["id"], sale["item"], sale["amount"]),
    )


def main():
    consumer = KafkaConsumer("sales", group_id="stock", enable_auto_commit=False)
    while True:
        batch = consumer.poll(timeout_ms=1000, max_records=100)
        sales = [json.loads(record.value) for records in batch.values() for record in records]
        with ThreadPoolExecutor(max_workers=4) as pool:
            list(pool.map(take, sales))
        consumer.commit()


if __name__ == "__main__":
    main()

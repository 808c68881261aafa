"""Takes what was sold off the shelf."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import psycopg
from kafka import KafkaConsumer

database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)


def take(sale):
    database.execute(
        "INSERT INTO withdrawals (sale, item, amount) VALUES (%s, %s, %s)",
        (sale["id"], sale["item"], sale["amount"]),
    )


def main():
    consumer = KafkaConsumer("sales", group_id="stock", enable_auto_commit=True)
    with ThreadPoolExecutor(max_workers=4) as pool:
        for record in consumer:
            pool.submit(take, json.loads(record.value))


if __name__ == "__main__":
    main()

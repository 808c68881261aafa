"""Committed by hand, when the batch has been written."""
import json

import psycopg
from kafka import KafkaConsumer

db = psycopg.connect("dbname=lifts", autocommit=True)
consumer = KafkaConsumer("lifts", group_id="lifts", enable_auto_commit=False)

while True:
    for records in consumer.poll(1000).values():
        rows = [(record.key, record.value) for record in records]
        db.cursor().executemany("INSERT INTO rides VALUES (%s, %s)", rows)
        consumer.commit()

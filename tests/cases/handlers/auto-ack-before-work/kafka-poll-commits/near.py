"""With the automatic commit, what one poll returned is committed by the next: written by then."""
import json

import psycopg
from kafka import KafkaConsumer

db = psycopg.connect("dbname=lifts", autocommit=True)
consumer = KafkaConsumer("lifts", group_id="lifts", enable_auto_commit=True)

for record in consumer:
    ride = json.loads(record.value)
    db.execute("INSERT INTO rides VALUES (%s, %s)", (ride["id"], ride["floors"]))

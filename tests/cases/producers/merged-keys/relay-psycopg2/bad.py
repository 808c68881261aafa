import json
import uuid

import psycopg2
from kafka import KafkaProducer

producer = KafkaProducer(bootstrap_servers="kafka:9092")
connection = psycopg2.connect("dbname=parcels")


def send_pending():
    cursor = connection.cursor()
    cursor.execute("SELECT id, key, topic, payload FROM outbox WHERE published = false")
    for row_id, key, topic, payload in cursor.fetchall():
        message = {
            "event_id": str(uuid.uuid4()),  # <- CL203
            "key": key,
            "payload": payload,
        }
        producer.send(topic, json.dumps(message).encode("utf-8")).get(timeout=10)
        cursor.execute("UPDATE outbox SET published = true WHERE id = %s", (row_id,))
        connection.commit()

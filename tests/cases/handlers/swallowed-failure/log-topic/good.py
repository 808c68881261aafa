"""The record itself goes to a topic for those that failed."""
import json

import kafka

from ferry import book

producer = kafka.KafkaProducer(bootstrap_servers="b:9092")


def send_log(level, text):
    line = {"level": level, "text": text}
    producer.send("ferry-log", json.dumps(line).encode())


def set_aside(record):
    producer.send("crossings.failed", record.value).get(timeout=10)


consumer = kafka.KafkaConsumer("crossings", group_id="ferry", enable_auto_commit=True)
for record in consumer:
    try:
        send_log("INFO", "crossing received")
        book(json.loads(record.value))
    except Exception as error:
        send_log("ERROR", str(error))
        set_aside(record)

"""The log has a topic of its own; a line in it brings no message back."""
import json

import kafka

from ferry import book

producer = kafka.KafkaProducer(bootstrap_servers="b:9092")


def send_log(level, text):
    line = {"level": level, "text": text}
    producer.send("ferry-log", json.dumps(line).encode())


consumer = kafka.KafkaConsumer("crossings", group_id="ferry", enable_auto_commit=True)
for record in consumer:
    try:
        send_log("INFO", "crossing received")
        book(json.loads(record.value))
    except Exception as error:  # <- CL104
        send_log("ERROR", str(error))

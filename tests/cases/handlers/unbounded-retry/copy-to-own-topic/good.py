"""The copy carries a count, and the count has an end."""
import json
import pathlib

from kafka import KafkaConsumer, KafkaProducer

producer = KafkaProducer()
consumer = KafkaConsumer("notes", group_id="notes", enable_auto_commit=False)

for record in consumer:
    note = json.loads(record.value)
    try:
        pathlib.Path("/mnt/notes", record.key.decode()).write_text(note["text"])
    except OSError:
        note["attempts"] = note.get("attempts", 0) + 1
        target = record.topic if note["attempts"] < 5 else "notes.dead"
        producer.send(target, key=record.key, value=json.dumps(note).encode())
        producer.flush()
    consumer.commit()

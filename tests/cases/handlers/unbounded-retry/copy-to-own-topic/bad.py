"""What could not be stored is sent to the topic it was read from."""
import pathlib

from kafka import KafkaConsumer, KafkaProducer

producer = KafkaProducer()
consumer = KafkaConsumer("notes", group_id="notes", enable_auto_commit=False)

for record in consumer:
    try:
        pathlib.Path("/mnt/notes", record.key.decode()).write_bytes(record.value)
    except OSError:
        producer.send(record.topic, key=record.key, value=record.value)  # <- CL302
        producer.flush()
    consumer.commit()

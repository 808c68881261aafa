"""What failed is published as well, by a helper that is no log."""
import json

from confluent_kafka import Consumer, Producer

from weights import weigh

producer = Producer({"bootstrap.servers": "b:9092"})


def write_log_line(text):
    producer.produce("scale-log", text.encode())
    producer.flush()


def later(record, error):
    write_log_line(f"failed: {error}")
    producer.produce("parcels-later", record.value())
    producer.flush()


consumer = Consumer({"bootstrap.servers": "b:9092", "group.id": "scales", "enable.auto.commit": False})
consumer.subscribe(["parcels"])
while True:
    record = consumer.poll(1.0)
    if record is None or record.error():
        continue
    try:
        weigh(json.loads(record.value()))
    except ConnectionError as error:
        later(record, error)
    consumer.commit(record)

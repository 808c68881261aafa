"""flush() waits until the brokers have it."""
import json

from confluent_kafka import Consumer, Producer

consumer = Consumer({"bootstrap.servers": "k:9092", "group.id": "g", "enable.auto.commit": False})
producer = Producer({"bootstrap.servers": "k:9092"})
consumer.subscribe(["raw"])


def forward(message):
    weight = json.loads(message.value())["weight"]
    producer.produce("scaled", key=message.key(), value=json.dumps({"grams": weight * 1000}))
    producer.flush()


while True:
    message = consumer.poll(1.0)
    if message is None:
        continue
    if message.error():
        continue
    forward(message)
    consumer.commit(message)

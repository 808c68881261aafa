"""A consumer without a group begins at the end: what a crash interrupts does not come again."""
import requests
from aiokafka import AIOKafkaConsumer
from kafka import KafkaConsumer


def watch():
    for record in KafkaConsumer("heartbeats", bootstrap_servers="kafka:9092"):
        requests.post("http://registry/alive", json={"name": record.key.decode()}, timeout=5)


def poll():
    consumer = KafkaConsumer("alarms")
    while True:
        for records in consumer.poll(timeout_ms=500).values():
            for record in records:
                requests.post("http://siren/on", data=record.value, timeout=5)


async def follow(session):
    async with AIOKafkaConsumer("alarms", bootstrap_servers="kafka:9092") as consumer:
        async for record in consumer:
            requests.post("http://siren/on", data=record.value, timeout=5)

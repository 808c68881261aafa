"""Applied first."""
import json

import pulsar

from timetable import service

client = pulsar.Client("pulsar://pulsar:6650")
consumer = client.subscribe("timetables", "planner")

while True:
    message = consumer.receive()
    service.apply(json.loads(message.data()))
    consumer.acknowledge(message)

"""Nothing is known of `publish_timetable`, but it is given the message."""
import json

import pulsar

from timetable import service

client = pulsar.Client("pulsar://pulsar:6650")
consumer = client.subscribe("timetables", "planner")

while True:
    message = consumer.receive()
    consumer.acknowledge(message)  # <- CL101
    service.apply(json.loads(message.data()))

"""What follows the acknowledgement only tells of it."""
import json
import logging

import pulsar

from timetable import metrics, service

client = pulsar.Client("pulsar://pulsar:6650")
consumer = client.subscribe("timetables", "planner")

while True:
    message = consumer.receive()
    timetable = json.loads(message.data())
    service.apply(timetable)
    consumer.acknowledge(message)
    logging.info("applied %s", timetable["id"])
    metrics.increment("applied", tags={"line": timetable["line"]})

"""To call off once more what is called off, and to look somebody up, changes nothing."""

import confluent_kafka
import requests

consumer = confluent_kafka.Consumer({"group.id": "bills", "enable.auto.commit": False})


def run():
    while True:
        order = consumer.poll(1).value()
        requests.post("https://slack.example/api/users.lookupByEmail", data=order["email"])
        requests.post("https://farm.example/tasks/%s/cancel" % order["task"])
        consumer.commit()

"""Automatic acknowledgement after the callback (MQTT), by hand at the end (STOMP)."""
import json
import pathlib

import paho.mqtt.client as mqtt
import stomp


def on_message(client, userdata, message):
    path = pathlib.Path("/srv/mqtt") / message.topic.replace("/", "_")
    path.write_bytes(message.payload)


class Listener(stomp.ConnectionListener):
    def __init__(self, connection):
        self.connection = connection

    def on_error(self, frame):
        print(frame.body)

    def on_message(self, frame):
        order = json.loads(frame.body)
        pathlib.Path("/srv/stomp", order["id"]).write_text(frame.body)
        self.connection.ack(frame.headers["ack"])


def main():
    client = mqtt.Client()
    client.on_message = on_message
    client.loop_start()
    connection = stomp.Connection12([("mq", 61613)])
    connection.set_listener("main", Listener(connection))
    connection.subscribe("/queue/orders", id="1", ack="client-individual")

"""paho with manual acknowledgement, done too early."""
import json
import sqlite3

import paho.mqtt.client as mqtt


def on_message(client, userdata, message):
    client.ack(message.mid, message.qos)  # <- CL101
    reading = json.loads(message.payload)
    with sqlite3.connect("glasshouse.db") as db:
        db.execute("INSERT INTO readings VALUES (?, ?)", (reading["id"], reading["rh"]))


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, manual_ack=True)
client.on_message = on_message
client.connect("mq")
client.loop_forever()

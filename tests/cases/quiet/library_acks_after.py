"""The library acknowledges when the function has returned: nothing is early here."""
import json
import pathlib

import paho.mqtt.client as mqtt


def on_message(client, userdata, message):
    reading = json.loads(message.payload)
    pathlib.Path("/srv/weather", reading["id"] + ".json").write_bytes(message.payload)


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_message = on_message
client.connect("mq")
client.subscribe("weather/#", qos=1)
client.loop_forever()

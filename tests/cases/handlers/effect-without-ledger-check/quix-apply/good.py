"""The bell is told which alarm it is."""
import requests
from quixstreams import Application

app = Application(broker_address="k:9092")
alarms = app.dataframe(app.topic("alarms"))


def ring(alarm: dict):
    headers = {"Idempotency-Key": alarm["id"]}
    requests.post("https://bell.example/ring", json=alarm, headers=headers, timeout=2)
    return alarm


alarms = alarms.apply(ring)
app.run()

"""A call to the outside in the middle of a stream pipeline."""
import requests
from quixstreams import Application

app = Application(broker_address="k:9092")
alarms = app.dataframe(app.topic("alarms"))


def ring(alarm: dict):
    requests.post("https://bell.example/ring", json=alarm, timeout=2)  # <- CL401
    return alarm


alarms = alarms.apply(ring)
app.run()

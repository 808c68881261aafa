"""Pulsar: a negative acknowledgement on everything, and no dead-letter policy."""
import pulsar

from harvest import weigh

client = pulsar.Client("pulsar://pulsar:6650")
consumer = client.subscribe("crates", "scales")

while True:
    message = consumer.receive()
    try:
        weigh(message.data())
    except Exception:
        consumer.negative_acknowledge(message)  # <- CL301
    else:
        consumer.acknowledge(message)

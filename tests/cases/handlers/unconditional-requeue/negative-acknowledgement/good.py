"""The broker itself limits redeliveries here."""
import pulsar

from harvest import weigh

client = pulsar.Client("pulsar://pulsar:6650")
consumer = client.subscribe(
    "crates",
    "scales",
    consumer_type=pulsar.ConsumerType.Shared,
    dead_letter_policy=pulsar.ConsumerDeadLetterPolicy(max_redeliver_count=5),
)

while True:
    message = consumer.receive()
    try:
        weigh(message.data())
    except Exception:
        consumer.negative_acknowledge(message)
    else:
        consumer.acknowledge(message)

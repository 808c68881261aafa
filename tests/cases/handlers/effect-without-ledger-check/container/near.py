"""A container that is waited for computes, and is gone."""
from kafka import KafkaConsumer
from python_on_whales import DockerClient

client = DockerClient()
consumer = KafkaConsumer("jobs", group_id="runner", enable_auto_commit=False)
for record in consumer:
    client.container.run("convert:latest", [record.value], remove=True)
    consumer.commit()

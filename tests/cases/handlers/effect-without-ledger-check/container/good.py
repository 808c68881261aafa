"""Of two containers with the name of the job the second is refused."""
from kafka import KafkaConsumer
from python_on_whales import docker

consumer = KafkaConsumer("jobs", group_id="runner", enable_auto_commit=False)
for record in consumer:
    docker.run("worker:latest", name=f"job-{record.key}", detach=True)
    consumer.commit()

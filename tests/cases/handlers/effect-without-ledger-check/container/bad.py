"""A container that is left running: the second delivery leaves a second one."""
from kafka import KafkaConsumer
from python_on_whales import docker

consumer = KafkaConsumer("jobs", group_id="runner", enable_auto_commit=False)
for record in consumer:
    docker.run("worker:latest", detach=True, envs={"JOB": record.value})  # <- CL401
    consumer.commit()

import confluent_kafka
import dask.distributed


class Alerts:
    def __init__(self, cluster: dask.distributed.Client):
        self.cluster = cluster
        self.consumer = confluent_kafka.Consumer({"group.id": "alerts"})

    def poll(self):  # <- handler
        message = self.consumer.poll(1)
        if message is not None:
            self.cluster.submit(self.handle, message.value())

    @staticmethod
    def handle(body):
        raise NotImplementedError

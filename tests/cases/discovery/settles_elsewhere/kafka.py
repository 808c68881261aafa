import confluent_kafka


class Consumer:
    def __init__(self):
        self.done = {}
        self.consumer = confluent_kafka.Consumer({"group.id": "a", "enable.auto.commit": False})

    def run(self):  # <- handler
        while True:
            message = self.consumer.poll(1)
            self._commit()
            if message is not None:
                print(message.value())
            self._count()

    def _commit(self):  # <- handler
        self.consumer.commit(offsets=list(self.done.values()))

    def _count(self):
        print(len(self.done))

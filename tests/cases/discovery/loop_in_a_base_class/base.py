import confluent_kafka


class Base:
    def __init__(self, consumer: confluent_kafka.Consumer):
        self.consumer = consumer

    def loop(self):  # <- handler
        while True:
            self.turn()

    def turn(self):  # <- handler
        for message in self.taken():
            self.handle(message.value())
        self.consumer.commit()

    def taken(self):  # <- handler
        return self.consumer.consume(10, 1.0)

    def handle(self, message):
        raise NotImplementedError

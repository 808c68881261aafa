class Worker:
    def run(self, queue):
        while True:
            body = self.read(queue)
            self.handle(body)

    def read(self, queue):
        return queue.get(timeout=1)

    def handle(self, body):
        raise NotImplementedError

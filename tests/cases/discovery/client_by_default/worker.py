from storage import Queues


class Worker:
    def run(self):  # <- handler
        queues = Queues("https://shop")
        for message in queues.messages("orders"):
            self.handle(message)
            queues.done("orders", message)

    def handle(self, message):  # <- handler
        print(message.content)

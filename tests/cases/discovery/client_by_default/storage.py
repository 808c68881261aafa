from azure.storage.queue import QueueClient


class Queues:
    def __init__(self, address):
        self.address = address
        self.clients = {}

    def messages(self, name):  # <- handler
        return list(self._client(name).receive_messages(max_messages=8))

    def done(self, name, message):  # <- handler
        self._client(name).delete_message(message)

    def _client(self, name):  # <- handler
        return self.clients.get(name, QueueClient(self.address, name))

"""Deleted when the file is there."""
import json
import pathlib

from azure.storage.queue import QueueServiceClient


class Spool:
    def __init__(self, url):
        self.queue = QueueServiceClient.from_connection_string(url).get_queue_client("prints")

    def turn(self):
        for message in self.queue.receive_messages(visibility_timeout=60):
            job = json.loads(message.content)
            pathlib.Path("/var/spool", job["id"]).write_text(job["page"])
            self.queue.delete_message(message)

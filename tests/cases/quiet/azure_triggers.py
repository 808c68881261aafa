"""The host completes the message when the function has returned, and counts the attempts."""
import json

import azure.functions as func
from azure.storage.queue import QueueClient
from azure.storage.blob import BlobClient

app = func.FunctionApp()


@app.service_bus_queue_trigger(arg_name="msg", queue_name="films", connection="bus")
def develop(msg: func.ServiceBusMessage) -> None:
    film = json.loads(msg.get_body())
    blob = BlobClient.from_connection_string("UseDevelopmentStorage=true", "films", film["id"])
    blob.upload_blob(film["negative"], overwrite=True)


def old_worker(url):
    queue = QueueClient.from_connection_string(url, "films")
    for message in queue.receive_messages():
        film = json.loads(message.content)
        blob = BlobClient.from_connection_string(url, "films", film["id"])
        blob.upload_blob(film["negative"], overwrite=True)
        queue.delete_message(message)

"""Event Hubs: a checkpoint is the acknowledgement of everything before it."""
import json

from azure.eventhub import EventHubConsumerClient
from azure.storage.blob import BlobServiceClient

blobs = BlobServiceClient.from_connection_string("UseDevelopmentStorage=true")


def on_event(partition_context, event):
    partition_context.update_checkpoint(event)  # <- CL101
    trip = json.loads(event.body_as_str())
    blob = blobs.get_blob_client("trips", f"{trip['id']}.json")
    blob.upload_blob(event.body_as_str(), overwrite=True)


client = EventHubConsumerClient.from_connection_string("Endpoint=…", "$Default")
with client:
    client.receive(on_event=on_event)

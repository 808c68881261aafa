"""The checkpoint follows the upload."""
import json

from azure.eventhub import EventHubConsumerClient
from azure.storage.blob import BlobServiceClient

blobs = BlobServiceClient.from_connection_string("UseDevelopmentStorage=true")


def on_event(partition_context, event):
    trip = json.loads(event.body_as_str())
    blob = blobs.get_blob_client("trips", f"{trip['id']}.json")
    blob.upload_blob(event.body_as_str(), overwrite=True)
    partition_context.update_checkpoint(event)


client = EventHubConsumerClient.from_connection_string("Endpoint=…", "$Default")
with client:
    client.receive(on_event=on_event)

"""The broker deletes the message when it hands it over."""
import json

from azure.servicebus import ServiceBusClient, ServiceBusReceiveMode

from ledgerbook import entries

MODE = ServiceBusReceiveMode.RECEIVE_AND_DELETE


def run(url):
    client = ServiceBusClient.from_connection_string(url)
    receiver = client.get_queue_receiver("entries", receive_mode=MODE)  # <- CL102
    for message in receiver:
        entries.book(json.loads(str(message)))

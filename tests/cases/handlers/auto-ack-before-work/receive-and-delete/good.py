"""Peek-lock, the default, and completed at the end."""
import json

from azure.servicebus import ServiceBusClient, ServiceBusReceiveMode

from ledgerbook import entries

MODE = ServiceBusReceiveMode.PEEK_LOCK


def run(url):
    client = ServiceBusClient.from_connection_string(url)
    receiver = client.get_queue_receiver("entries", receive_mode=MODE)
    for message in receiver:
        entries.book(json.loads(str(message)))
        receiver.complete_message(message)

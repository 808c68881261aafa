"""The result of the future is asked for first."""
import json
from concurrent.futures import ThreadPoolExecutor

from azure.servicebus import ServiceBusClient
from pymongo import MongoClient

votes = MongoClient()["council"]["votes"]
pool = ThreadPoolExecutor()


def count(vote):
    votes.replace_one({"_id": vote["id"]}, vote, upsert=True)


def run(connection_string):
    with ServiceBusClient.from_connection_string(connection_string) as client:
        with client.get_queue_receiver("votes") as receiver:
            for message in receiver:
                pool.submit(count, json.loads(str(message))).result()
                receiver.complete_message(message)

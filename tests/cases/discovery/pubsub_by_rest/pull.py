import base64

from googleapiclient import discovery

SUBSCRIPTION = "projects/shop/subscriptions/orders"


def run():  # <- handler
    subscriptions = discovery.build("pubsub", "v1").projects().subscriptions()
    while True:
        answer = subscriptions.pull(subscription=SUBSCRIPTION, body={"maxMessages": 8}).execute()
        for received in answer["receivedMessages"]:
            keep(received["message"])
            ids = {"ackIds": [received["ackId"]]}
            subscriptions.acknowledge(subscription=SUBSCRIPTION, body=ids).execute()


def keep(message):  # <- handler
    print(base64.b64decode(message["data"]))


def on_cue(msg, context):  # <- handler
    """Started by a Pub/Sub topic."""
    print(base64.b64decode(msg["data"]))


def list_machines():
    return discovery.build("compute", "v1").instances().list(project="shop").execute()

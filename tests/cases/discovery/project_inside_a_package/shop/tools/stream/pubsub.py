from google.cloud import pubsub_v1


def pull(subscription, callback):
    return pubsub_v1.SubscriberClient().subscribe(subscription, callback)

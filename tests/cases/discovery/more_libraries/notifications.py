import oslo_messaging


class Endpoint:
    def __init__(self, store):
        self.store = store

    def info(self, ctxt, publisher_id, event_type, payload, metadata):  # <- handler
        self.keep(payload)

    def error(self, ctxt, publisher_id, event_type, payload, metadata):  # <- handler
        print(payload)

    def keep(self, payload):  # <- handler
        print(self.store, payload["id"])

    def describe(self):
        return len(self.store)


def main(transport, target):
    endpoints = [Endpoint({})]
    listener = oslo_messaging.get_notification_listener(transport, [target], endpoints)
    listener.start()

"""Old formatting and join carry the value as well as anything."""
import json
import os
import random

import stomp


class Printer(stomp.ConnectionListener):
    def __init__(self, connection):
        self.connection = connection

    def on_message(self, frame):
        page = json.loads(frame.body)
        number = random.randint(0, 10**9)  # <- CL201
        name = "-".join(["page", "%s" % number, page["book"]])
        with open(os.path.join("/srv/pages", name + ".ps"), "w") as file:
            file.write(page["text"])
        self.connection.ack(frame.headers["message-id"])


connection = stomp.Connection()
connection.set_listener("printer", Printer(connection))
connection.subscribe("/queue/pages", 1, ack="client")

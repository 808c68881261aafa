"""fedora-messaging: raising Nack is putting back, here for a message of the wrong kind."""
from fedora_messaging import api
from fedora_messaging.exceptions import Nack

from mirror import refresh


def on_release(message):
    if "version" not in message.body:
        raise Nack("no version")  # <- CL303
    refresh(message.body["version"])


api.consume(on_release)

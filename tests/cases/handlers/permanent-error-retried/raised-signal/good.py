"""Drop is the signal for what no repeat can mend."""
from fedora_messaging import api
from fedora_messaging.exceptions import Drop

from mirror import refresh


def on_release(message):
    if "version" not in message.body:
        raise Drop("no version")
    refresh(message.body["version"])


api.consume(on_release)

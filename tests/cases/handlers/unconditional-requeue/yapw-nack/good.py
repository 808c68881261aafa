"""Without."""
import json

from yapw.clients import Blocking
from yapw.methods.blocking import ack, nack

from theatre import seat


def on_guest(state, channel, method, properties, body):
    try:
        seat(json.loads(body))
    except Exception:
        nack(state, channel, method.delivery_tag, requeue=False)
    else:
        ack(state, channel, method.delivery_tag)


Blocking(url="amqp://mq/").consume(on_guest, "guests")

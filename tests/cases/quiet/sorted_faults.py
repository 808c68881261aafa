"""Each kind of fault has its own way: back with a limit, aside, or out of the handler."""
import json

import pika
import requests

from clerk import file_form, quarantine

LIMIT = 5


class Desk:
    def attempts(self, properties):
        deaths = (properties.headers or {}).get("x-death") or [{"count": 0}]
        return deaths[0]["count"]

    def on_form(self, channel, method, properties, body):
        try:
            form = json.loads(body)
        except json.JSONDecodeError as error:
            quarantine.save_failed_message(body, reason=str(error))
            channel.basic_reject(method.delivery_tag, requeue=False)
            return
        try:
            file_form(form)
        except requests.Timeout:
            if self.attempts(properties) >= LIMIT:
                quarantine.save_failed_message(body, reason="retry-limit")
                channel.basic_reject(method.delivery_tag, requeue=False)
            else:
                channel.basic_nack(method.delivery_tag, requeue=False)
        else:
            channel.basic_ack(method.delivery_tag)


desk = Desk()
pika.BlockingConnection().channel().basic_consume("forms", desk.on_form)

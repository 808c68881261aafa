import json

import pika


def on_reading(channel, method, properties, body):
    reading = json.loads(body)
    message_id = f"alarm-{reading['id']}"
    alarm = pika.BasicProperties(message_id=message_id)
    channel.basic_publish("alarms", reading["meter"], body, alarm)
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("readings", on_reading)

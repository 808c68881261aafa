"""The loop around the connection catches what ends it; no message is acknowledged there."""
import json
import logging
import time

import pika

from mill import grind


def on_sack(channel, method, properties, body):
    grind(json.loads(body))
    channel.basic_ack(method.delivery_tag)


def main():
    while True:
        try:
            connection = pika.BlockingConnection(pika.ConnectionParameters("mq"))
            channel = connection.channel()
            channel.basic_consume("sacks", on_sack)
            channel.start_consuming()
        except pika.exceptions.AMQPConnectionError:
            logging.warning("connection lost")
            time.sleep(5)
        except KeyboardInterrupt:
            break


main()

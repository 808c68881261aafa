"""A thread is started with the message, the acknowledgement does not wait for it."""
import json
import threading

import pika
import psycopg


def store(meal):
    with psycopg.connect("dbname=canteen") as db:
        db.execute("INSERT INTO meals VALUES (%s, %s)", (meal["id"], meal["dish"]))


def on_meal(channel, method, properties, body):
    meal = json.loads(body)
    threading.Thread(target=store, args=(meal,)).start()
    channel.basic_ack(method.delivery_tag)  # <- CL101


pika.BlockingConnection().channel().basic_consume("meals", on_meal)

"""The thread is waited for."""
import json
import threading

import pika
import psycopg


def store(meal):
    with psycopg.connect("dbname=canteen") as db:
        db.execute("INSERT INTO meals VALUES (%s, %s)", (meal["id"], meal["dish"]))


def on_meal(channel, method, properties, body):
    meal = json.loads(body)
    worker = threading.Thread(target=store, args=(meal,))
    worker.start()
    worker.join()
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("meals", on_meal)

"""The thread acknowledges by itself, through the connection's own thread, after its work."""
import functools
import json
import threading

import pika
import psycopg

connection = pika.BlockingConnection()


def store(channel, tag, meal):
    with psycopg.connect("dbname=canteen") as db:
        db.execute("INSERT INTO meals VALUES (%s, %s)", (meal["id"], meal["dish"]))
    connection.add_callback_threadsafe(functools.partial(channel.basic_ack, tag))


def on_meal(channel, method, properties, body):
    meal = json.loads(body)
    threading.Thread(target=store, args=(channel, method.delivery_tag, meal)).start()


channel = connection.channel()
channel.basic_consume("meals", on_meal)

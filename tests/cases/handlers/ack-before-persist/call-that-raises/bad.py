"""The loan is acknowledged before the insert that may fail: the insert's failure is too late."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=lending", autocommit=True)


def on_loan(channel, method, properties, body):
    loan = json.loads(body)
    try:
        channel.basic_ack(method.delivery_tag)  # <- CL101
        db.execute("INSERT INTO loans (id, book) VALUES (%s, %s)", (loan["id"], loan["book"]))
    finally:
        print("loan seen")


def main():
    connection = pika.BlockingConnection()
    channel = connection.channel()
    channel.basic_consume(queue="loans", on_message_callback=on_loan)
    channel.start_consuming()

"""If the acknowledgement itself fails, the second store is a repair, not lost work."""
import json

import pika
import psycopg

db = psycopg.connect("dbname=lending", autocommit=True)


def on_loan(channel, method, properties, body):
    loan = json.loads(body)
    db.execute("INSERT INTO loans (id, book) VALUES (%s, %s)", (loan["id"], loan["book"]))
    try:
        channel.basic_ack(method.delivery_tag)
    except pika.exceptions.AMQPError:
        db.execute("UPDATE loans SET settled = false WHERE id = %s", (loan["id"],))
        raise


def main():
    connection = pika.BlockingConnection()
    channel = connection.channel()
    channel.basic_consume(queue="loans", on_message_callback=on_loan)
    channel.start_consuming()

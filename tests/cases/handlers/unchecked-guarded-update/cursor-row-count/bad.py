import json

import pika
import psycopg2

connection = psycopg2.connect("dbname=berths")
TAKE = "UPDATE berths SET ship = %s, version = %s WHERE berth = %s AND version = %s"


def on_arrival(channel, method, properties, body):
    ship = json.loads(body)
    cursor = connection.cursor()
    version = ship["seen"]
    cursor.execute(TAKE, (ship["name"], version + 1, ship["berth"], version))  # <- CL502
    connection.commit()
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("arrivals", on_arrival)

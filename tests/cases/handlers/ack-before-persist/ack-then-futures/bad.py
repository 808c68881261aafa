"""Futures are waited for, but after the acknowledgement."""
import json
from concurrent.futures import ThreadPoolExecutor, wait

import pika
import psycopg

threads = ThreadPoolExecutor()


def store(tile):
    with psycopg.connect("dbname=atlas") as db:
        db.execute("INSERT INTO tiles VALUES (%s, %s)", (tile["id"], tile["png"]))


def on_tiles(channel, method, properties, body):
    futures = [threads.submit(store, tile) for tile in json.loads(body)]
    channel.basic_ack(method.delivery_tag)  # <- CL101
    wait(futures)


pika.BlockingConnection().channel().basic_consume("tiles", on_tiles)

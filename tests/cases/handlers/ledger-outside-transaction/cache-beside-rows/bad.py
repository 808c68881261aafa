import json

import pika
import psycopg
import redis

db = psycopg.connect("dbname=votes", autocommit=True)
cache = redis.Redis()


def on_vote(channel, method, properties, body):
    vote = json.loads(body)
    seen = f"vote:{vote['id']}"
    if cache.get(seen) is None:
        db.execute("UPDATE polls SET votes = votes + 1 WHERE poll = %s", (vote["poll"],))
        cache.set(seen, "1")  # <- CL403
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("votes", on_vote)

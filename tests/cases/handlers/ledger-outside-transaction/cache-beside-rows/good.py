import json

import pika
import psycopg
import redis

db = psycopg.connect("dbname=votes", autocommit=True)
cache = redis.Redis()
VOTE = "INSERT INTO votes (id, poll) VALUES (%s, %s) ON CONFLICT DO NOTHING"


def on_vote(channel, method, properties, body):
    vote = json.loads(body)
    seen = f"vote:{vote['id']}"
    if cache.get(seen) is None:
        db.execute(VOTE, (vote["id"], vote["poll"]))
        cache.set(seen, "1")
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("votes", on_vote)

"""Random values and clocks that name nothing: traces, jitter, seeds, columns."""
import json
import random
import time
import uuid
from datetime import datetime, timezone

import pika
import psycopg

db = psycopg.connect("dbname=ferry", autocommit=True)
ADD = "INSERT INTO crossings (id, ship, seen_at, trace) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"


def on_crossing(channel, method, properties, body):
    crossing = json.loads(body)
    trace = uuid.uuid4().hex
    print("trace", trace, time.time())
    time.sleep(random.random() / 100)
    now = datetime.now(timezone.utc)
    db.execute(ADD, (crossing["id"], crossing["ship"], now, trace))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("crossings", on_crossing)

"""Only a lost connection is worth another try; all else is dead-lettered."""
import json

import pika
import psycopg2

db = psycopg2.connect("dbname=zoo")


def on_feeding(channel, method, properties, body):
    try:
        feeding = json.loads(body)
        with db, db.cursor() as cursor:
            cursor.execute("INSERT INTO feedings VALUES (%s, %s)", (feeding["id"], feeding["kg"]))
    except psycopg2.OperationalError:
        channel.basic_reject(method.delivery_tag)
    except Exception:
        channel.basic_reject(method.delivery_tag, requeue=False)
    else:
        channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("feedings", on_feeding)

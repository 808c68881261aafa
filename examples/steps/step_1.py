"""Step 1: the acknowledgement comes last."""

import json
import pathlib
import uuid

import pika
import psycopg
import requests

database = psycopg.connect("dbname=shop", autocommit=True)
receipts = pathlib.Path("/srv/receipts")


def on_order(channel, method, properties, body):
    try:
        order = json.loads(body)
        charge = requests.post(
            "https://pay.example/charges",
            json={"customer": order["customer"], "cents": order["cents"]},
            timeout=10,
        )
        charge.raise_for_status()
        (receipts / f"{uuid.uuid4()}.json").write_text(charge.text)
        database.execute("UPDATE orders SET state = 'paid' WHERE id = %s", (order["id"],))
    except Exception:
        channel.basic_nack(method.delivery_tag)
        return
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.queue_declare("orders", durable=True)
channel.basic_consume("orders", on_order)
channel.start_consuming()

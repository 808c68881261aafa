"""Step 5: what cannot be done is kept with its reason, then rejected."""

import json
import pathlib

import pika
import psycopg
import requests

database = psycopg.connect("dbname=shop", autocommit=True)
receipts = pathlib.Path("/srv/receipts")


def set_aside(message, reason, body):
    database.execute(
        "INSERT INTO quarantine (message, reason, body) VALUES (%s, %s, %s)"
        " ON CONFLICT (message) DO NOTHING",
        (message, reason, body),
    )


def on_order(channel, method, properties, body):
    try:
        order = json.loads(body)
        charge = requests.post(
            "https://pay.example/charges",
            json={"customer": order["customer"], "cents": order["cents"]},
            headers={"Idempotency-Key": f"order:{order['id']}:charge"},
            timeout=10,
        )
        charge.raise_for_status()
        (receipts / f"{order['id']}.json").write_text(charge.text)
        database.execute("UPDATE orders SET state = 'paid' WHERE id = %s", (order["id"],))
    except (requests.ConnectionError, requests.Timeout, psycopg.OperationalError):
        channel.basic_nack(method.delivery_tag, requeue=not method.redelivered)
        return
    except (ValueError, KeyError, requests.HTTPError) as error:
        set_aside(properties.message_id, str(error), body)
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.queue_declare("orders", durable=True, arguments={"x-dead-letter-exchange": "dead"})
channel.basic_consume("orders", on_order)
channel.start_consuming()

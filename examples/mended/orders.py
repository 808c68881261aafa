"""Keeps the orders: one message creates an order, another cancels it."""

import json
import logging
import os

import pika
import psycopg
from quarantine import Quarantine

log = logging.getLogger(__name__)


class Orders:
    """The table of orders."""

    def __init__(self, dsn: str) -> None:
        self.database = psycopg.connect(dsn, autocommit=True)

    def create(self, order):
        self.database.execute(
            "INSERT INTO orders (id, customer, total) VALUES (%s, %s, %s)"
            " ON CONFLICT (id) DO NOTHING",
            (order["id"], order["customer"], order["total"]),
        )

    def cancel(self, order):
        self.database.execute("UPDATE orders SET state = 'cancelled' WHERE id = %s", (order["id"],))


class OrderWorker:
    def __init__(self, channel, orders: Orders, quarantine: Quarantine) -> None:
        self.orders = orders
        self.quarantine = quarantine
        channel.basic_consume("orders.created", self.on_created)
        channel.basic_consume("orders.cancelled", self.on_cancelled)

    def on_created(self, channel, method, properties, body):
        self.handle(self.orders.create, channel, method, properties, body)

    def on_cancelled(self, channel, method, properties, body):
        self.handle(self.orders.cancel, channel, method, properties, body)

    def handle(self, apply, channel, method, properties, body):
        """Apply a message and acknowledge it when its result is stored."""
        try:
            apply(json.loads(body))
        except psycopg.OperationalError:
            log.exception("the database is away; once more, then to the dead letters")
            channel.basic_nack(method.delivery_tag, requeue=not method.redelivered)
        except (ValueError, KeyError) as error:
            self.quarantine.set_aside(
                properties.message_id,
                reason=f"unreadable: {error}",
                body=body,
                next_check="was the producer changed?",
            )
            channel.basic_reject(method.delivery_tag, requeue=False)
        else:
            channel.basic_ack(method.delivery_tag)


def main():
    channel = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"])).channel()
    dead_letters = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "orders.dead"}
    channel.queue_declare("orders.dead", durable=True)
    for queue in ("orders.created", "orders.cancelled"):
        channel.queue_declare(queue, durable=True, arguments=dead_letters)
    dsn = os.environ["DATABASE_URL"]
    OrderWorker(channel, Orders(dsn), Quarantine(dsn))
    channel.start_consuming()


if __name__ == "__main__":
    main()

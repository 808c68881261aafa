"""Keeps the orders: one message creates an order, another cancels it."""

import json
import logging
import os

import pika
import psycopg

log = logging.getLogger(__name__)


class Orders:
    """The table of orders."""

    def __init__(self, dsn: str) -> None:
        self.database = psycopg.connect(dsn, autocommit=True)

    def create(self, order):
        self.database.execute(
            "INSERT INTO orders (id, customer, total) VALUES (%s, %s, %s)",
            (order["id"], order["customer"], order["total"]),
        )

    def cancel(self, order):
        self.database.execute("UPDATE orders SET state = 'cancelled' WHERE id = %s", (order["id"],))


class OrderWorker:
    def __init__(self, channel, orders: Orders) -> None:
        self.orders = orders
        channel.basic_consume("orders.created", self.on_created)
        channel.basic_consume("orders.cancelled", self.on_cancelled)

    def on_created(self, channel, method, properties, body):
        channel.basic_ack(method.delivery_tag)
        order = json.loads(body)
        self.orders.create(order)
        log.info("order %s created", order["id"])

    def on_cancelled(self, channel, method, properties, body):
        try:
            self.orders.cancel(json.loads(body))
        except Exception:
            log.exception("cancellation failed")
            channel.basic_nack(method.delivery_tag)
        else:
            channel.basic_ack(method.delivery_tag)


def main():
    channel = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"])).channel()
    OrderWorker(channel, Orders(os.environ["DATABASE_URL"]))
    channel.start_consuming()


if __name__ == "__main__":
    main()

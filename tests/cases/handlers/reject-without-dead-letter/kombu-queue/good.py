import sqlite3

from kombu import Connection, Consumer, Exchange, Queue

database = sqlite3.connect("/srv/orders.db", isolation_level=None)
orders = Queue(
    "orders",
    Exchange("shop"),
    routing_key="orders",
    queue_arguments={"x-dead-letter-exchange": "dead"},
)


def on_order(body, message):
    if "id" not in body:
        message.reject()
        return
    database.execute("INSERT OR IGNORE INTO orders (id) VALUES (?)", (body["id"],))
    message.ack()


with Connection("amqp://") as connection, Consumer(connection, [orders], callbacks=[on_order]):
    connection.drain_events()

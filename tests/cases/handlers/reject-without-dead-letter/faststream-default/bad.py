import sqlite3

from faststream.rabbit import RabbitBroker, RabbitQueue

broker = RabbitBroker("amqp://mq")
orders = RabbitQueue("orders", durable=True)
database = sqlite3.connect("/srv/orders.db", isolation_level=None)


@broker.subscriber(orders)  # <- CL106
async def on_order(order: dict):
    database.execute("INSERT OR IGNORE INTO orders (id) VALUES (?)", (order["id"],))

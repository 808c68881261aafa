"""The task is only asked for, wrapped or sent; celery is told of no function here."""

from celery import Celery, signature

app = Celery("shop")


def on_order(order):
    print(order)


def send(order):
    signature("shop.on_order").delay(order)
    app.send_task("shop.on_order", args=[order])
    return app.tasks.get(on_order)

from functools import wraps

from celery import Celery, shared_task

from shop import Ring

app = Celery("shop")


def with_log(function):
    @wraps(function)
    def wrapper(*args, **kwargs):  # <- handler
        print(args)
        return function(*args, **kwargs)

    return wrapper


def register(app: Celery, function, limit=None):
    app.task(name=function.__name__, rate_limit=limit)(with_log(function))


def on_order(order):  # <- handler
    print(order)


def on_bill(bill):  # <- handler
    print(bill)


class Letters:
    def __init__(self, celery: Celery):
        celery.task(self.on_letter)

    def on_letter(self, letter):  # <- handler
        print(letter)


def on_parcel(parcel):  # <- handler
    print(parcel)


@app.task
def on_return(item):  # <- handler
    print(item)


def on_nothing(order):
    print(order)


shared_task(on_order)
app.task(name="bill", bind=False)(on_bill)
register(app, on_parcel)
Ring().task(on_nothing)

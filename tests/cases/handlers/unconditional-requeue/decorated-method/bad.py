"""A method is registered by a call; its decorator lets every error out."""

import functools

from faststream import AckPolicy
from faststream.rabbit import RabbitBroker

from shop import ledger, log

broker = RabbitBroker()


def told(method):
    @functools.wraps(method)
    async def wrapper(*args, **kwargs):
        try:
            return await method(*args, **kwargs)
        except Exception as error:
            log.exception(error)
            raise

    return wrapper


class Orders:
    @told
    async def book(self, order):
        await ledger.book(order)

    def register(self):
        self.book = broker.subscriber(
            "orders",
            ack_policy=AckPolicy.NACK_ON_ERROR,  # <- CL301
        )(self.book)

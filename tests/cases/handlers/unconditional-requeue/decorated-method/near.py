"""A method is registered by a call; its decorator, which names self, puts back what waiting can heal."""

import functools

from faststream import AckPolicy
from faststream.exceptions import RejectMessage
from faststream.rabbit import RabbitBroker
from redis.exceptions import RedisError

from shop import ledger, log

broker = RabbitBroker()


def told(method):
    @functools.wraps(method)
    async def wrapper(self, order):
        try:
            return await method(self, order)
        except Exception as error:
            log.exception(error)
            if isinstance(error, RedisError | ConnectionError):
                raise
            raise RejectMessage from error

    return wrapper


class Orders:
    @told
    async def book(self, order):
        await ledger.book(order)

    def register(self):
        self.book = broker.subscriber(
            "orders",
            ack_policy=AckPolicy.NACK_ON_ERROR,
        )(self.book)

"""A list that is kept in Redis: taking an item out of it is no delivery."""
import pika
import redis


class Shelf:
    def __init__(self, name):
        self.books = redis.Redis()
        self.name = name

    def __delitem__(self, index):
        before = self.books.lpop(self.name, index + 1)
        before.pop()
        if before:
            self.books.lpush(self.name, *before)

    def __getitem__(self, index):
        book = self.books.rpop(self.name)
        self.books.rpush(self.name, book)
        return book

    def __contains__(self, title):
        first = self.books.lpop(self.name)
        self.books.lpush(self.name, first)
        return title == first


shelf = Shelf("returned")


def on_lost(channel, method, properties, body):
    if body in shelf:
        del shelf[0]
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("lost", on_lost)

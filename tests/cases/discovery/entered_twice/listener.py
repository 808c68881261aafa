from contextlib import contextmanager

import psycopg


class Listener:
    def __init__(self, connection):
        self.connection = connection

    def events(self):  # <- handler
        yield from self.connection.notifies()


@contextmanager
def listening():
    with psycopg.connect("dbname=shop") as connection:
        yield Listener(connection)

import json
import select

import asyncpg
import psycopg
import psycopg2


def new_style():  # <- handler
    with psycopg.connect("dbname=shop", autocommit=True) as connection:
        connection.execute("LISTEN orders")
        for notice in connection.notifies():
            print(json.loads(notice.payload))


def old_style():  # <- handler
    connection = psycopg2.connect("dbname=shop")
    while True:
        select.select([connection], [], [], 5)
        connection.poll()
        while connection.notifies:
            notice = connection.notifies.pop(0)
            print(notice.payload)


def old_style_list(connection: psycopg2.extensions.connection):  # <- handler
    connection.poll()
    for notice in connection.notifies:
        print(notice.payload)


def on_notice(notice):  # <- handler
    print(notice.payload)


async def on_order(connection, pid, channel, payload):  # <- handler
    print(payload)


def by_callback(django_connection):
    django_connection.connection.add_notify_handler(on_notice)


async def by_listener():
    connection = await asyncpg.connect("postgresql://shop")
    await connection.add_listener("orders", on_order)

"""A notification that was sent is never sent again: what it starts cannot happen twice."""

import asyncpg
import psycopg
import requests


def listen():
    with psycopg.connect("dbname=shop", autocommit=True) as connection:
        connection.execute("LISTEN orders")
        for notice in connection.notifies():
            requests.post("https://shop.example/orders", data=notice.payload)


def on_notice(notice):
    requests.post("https://shop.example/orders", data=notice.payload)


async def on_order(connection, pid, channel, payload):
    requests.post("https://shop.example/orders", data=payload)


async def start(connection: psycopg.Connection):
    connection.add_notify_handler(on_notice)
    other = await asyncpg.connect("postgresql://shop")
    await other.add_listener("orders", on_order)

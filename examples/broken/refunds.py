"""Pays the customer back when a parcel was returned: entries of a Redis stream."""

import json
import os

import httpx
import redis

STREAM, GROUP, ME = "parcels.returned", "refunds", os.environ.get("HOSTNAME", "refunds-1")

server = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
provider = httpx.Client(base_url="https://pay.example", timeout=10)


def main():
    position = "0"  # what this worker was given before it died; afterwards what is new
    while True:
        for _, entries in server.xreadgroup(GROUP, ME, {STREAM: position}, block=1000):
            for entry, fields in entries:
                refund(json.loads(fields["order"]))
                server.xack(STREAM, GROUP, entry)
        position = ">"


def refund(order):
    answer = provider.post(
        "/refunds", json={"customer": order["customer"], "amount": order["total"]}
    )
    answer.raise_for_status()


if __name__ == "__main__":
    main()

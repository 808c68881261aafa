"""Pays the customer back when a parcel was returned: entries of a Redis stream."""

import json
import os

import httpx
import redis
from ledger import Ledger, Unknown
from quarantine import Quarantine

STREAM, GROUP, ME = "parcels.returned", "refunds", os.environ.get("HOSTNAME", "refunds-1")

server = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
provider = httpx.Client(base_url="https://pay.example", timeout=10)
ledger = Ledger(os.environ["DATABASE_URL"])
quarantine = Quarantine(os.environ["DATABASE_URL"])


def main():
    position = "0"  # what this worker was given before it died; afterwards what is new
    while True:
        for _, entries in server.xreadgroup(GROUP, ME, {STREAM: position}, block=1000):
            for entry, fields in entries:
                handle(entry, fields)
                server.xack(STREAM, GROUP, entry)
        position = ">"


def handle(entry, fields):
    try:
        refund(json.loads(fields["order"]))
    except Unknown:
        quarantine.set_aside(
            entry,
            reason="effect-result-unknown",
            body=fields["order"],
            next_check="was the customer paid back?",
        )
    except (ValueError, KeyError) as error:
        quarantine.set_aside(entry, reason=f"unreadable: {error}", body=str(fields))


def refund(order):
    """Pay back once: the provider takes no key, so the ledger has to remember."""
    key = f"order:{order['id']}:refund"
    if not ledger.begin(key):
        return
    answer = provider.post(
        "/refunds", json={"customer": order["customer"], "amount": order["total"]}
    )
    answer.raise_for_status()
    ledger.finish(key, "paid back")


if __name__ == "__main__":
    main()

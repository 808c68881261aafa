"""Prints the label of a parcel. parcelqueue.toml tells what the company's own queue does."""

import os

import parcelqueue
from ledger import Ledger, Unknown
from warehouse import printers

ledger = Ledger(os.environ["DATABASE_URL"])


@parcelqueue.worker("labels")
def on_parcel(delivery):
    key = f"parcel:{delivery.body['parcel']}:label"
    try:
        if ledger.begin(key):
            printers.print_label(delivery.body["parcel"], delivery.body["address"])
            ledger.finish(key, "printed")
    except printers.OutOfPaper:
        ledger.forget(key)
        if delivery.attempt < 3:
            delivery.again()
        else:
            delivery.bury()
    except Unknown:
        delivery.bury()
    else:
        delivery.done()

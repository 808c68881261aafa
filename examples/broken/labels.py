"""Prints the label of a parcel. parcelqueue.toml tells what the company's own queue does."""

import parcelqueue
from warehouse import printers


@parcelqueue.worker("labels")
def on_parcel(delivery):
    try:
        printers.print_label(delivery.body["parcel"], delivery.body["address"])
    except Exception:
        delivery.again()
    else:
        delivery.done()

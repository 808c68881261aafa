"""The clock goes through a helper and the path operator into the file's name."""
import json
import time
from pathlib import Path

import pika

FOLDER = Path("/srv/invoices")


def file_for(customer):
    return FOLDER / f"{customer}-{int(time.time())}.pdf"  # <- CL201


def on_invoice(channel, method, properties, body):
    invoice = json.loads(body)
    file_for(invoice["customer"]).write_bytes(bytes.fromhex(invoice["pdf"]))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("invoices", on_invoice)

"""Named after the invoice."""
import json
from pathlib import Path

import pika

FOLDER = Path("/srv/invoices")


def file_for(invoice):
    return FOLDER / f"{invoice['customer']}-{invoice['number']}.pdf"


def on_invoice(channel, method, properties, body):
    invoice = json.loads(body)
    file_for(invoice).write_bytes(bytes.fromhex(invoice["pdf"]))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("invoices", on_invoice)

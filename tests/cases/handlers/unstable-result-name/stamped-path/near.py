"""The clock is in the content and in the log."""
import json
import logging
import time
from pathlib import Path

import pika

FOLDER = Path("/srv/invoices")


def on_invoice(channel, method, properties, body):
    invoice = json.loads(body)
    started = time.time()
    page = f"{invoice['text']}\nprinted {time.ctime(started)}"
    (FOLDER / f"{invoice['number']}.txt").write_text(page)
    logging.info("%s took %.3f s", invoice["number"], time.time() - started)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("invoices", on_invoice)

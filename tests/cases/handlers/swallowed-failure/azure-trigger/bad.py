"""The host completes the message when the function has returned, also when it has only logged."""
import json
import logging

import azure.functions as func
from azure.cosmos import CosmosClient

from billing import book

app = func.FunctionApp()


@app.service_bus_queue_trigger(arg_name="msg", queue_name="bills", connection="bus")
def on_bill(msg: func.ServiceBusMessage):
    try:
        book(json.loads(msg.get_body()))
    except Exception:  # <- CL104
        logging.exception("bill not booked")

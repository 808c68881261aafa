"""The exception leaves; the host counts the attempts and dead-letters in the end."""
import json
import logging

import azure.functions as func

from billing import book

app = func.FunctionApp()


@app.service_bus_queue_trigger(arg_name="msg", queue_name="bills", connection="bus")
def on_bill(msg: func.ServiceBusMessage):
    try:
        book(json.loads(msg.get_body()))
    except Exception:
        logging.exception("bill not booked")
        raise

"""The idempotency key is fresh at each delivery: it protects from nothing."""
import uuid

import stripe
from procrastinate import App, PsycopgConnector

app = App(connector=PsycopgConnector())


@app.task(queue="deposits")
def deposit(guest, pence):
    stripe.Charge.create(
        amount=pence,
        currency="gbp",
        customer=guest,
        idempotency_key=str(uuid.uuid4()),  # <- CL201
    )

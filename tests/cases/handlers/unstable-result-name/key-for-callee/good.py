"""The same key for the same deposit."""
import stripe
from procrastinate import App, PsycopgConnector

app = App(connector=PsycopgConnector())


@app.task(queue="deposits")
def deposit(booking, guest, pence):
    stripe.Charge.create(
        amount=pence,
        currency="gbp",
        customer=guest,
        idempotency_key=f"deposit:{booking}",
    )

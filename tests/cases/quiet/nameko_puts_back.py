"""nameko: a passing fault is caught and told; the event is recorded either way."""
from nameko.events import event_handler

from fleet.store import save


class Garage:
    name = "garage"

    @event_handler("vans", "sold", requeue_on_error=False)
    def on_sold(self, payload):
        print("sold", payload["plate"])

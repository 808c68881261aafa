"""What another side would do is only pretended; nobody minds to be shown it twice."""
import dramatiq
import httpx


def send_mock_receipt(reference):
    httpx.post("http://localhost/receipts", json={"reference": reference})


@dramatiq.actor
def fake_delivery_report(reference):
    httpx.post("http://localhost/reports", json={"reference": reference})


@dramatiq.actor
def simulate_payment(reference):
    send_mock_receipt(reference)

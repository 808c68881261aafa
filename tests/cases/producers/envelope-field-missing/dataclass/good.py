import json
from dataclasses import asdict, dataclass, field
from uuid import uuid4

from kafka import KafkaProducer

producer = KafkaProducer(bootstrap_servers="kafka:9092")


@dataclass
class Envelope:
    kind: str
    id: str = field(default_factory=lambda: str(uuid4()))
    schema_version: int = 2


@dataclass
class OrderPaid(Envelope):
    order: str = ""


def order_paid(order):
    event = OrderPaid("order.paid", order=order.number)
    producer.send("orders", json.dumps(asdict(event)).encode()).get()

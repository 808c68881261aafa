import json
from dataclasses import asdict, dataclass, field

from kafka import KafkaProducer

producer = KafkaProducer(bootstrap_servers="kafka:9092")


@dataclass
class OrderPaid:
    order: str
    kind: str = "order.paid"
    schema_version: int = 2
    lines: list = field(default_factory=list)


def order_paid(order):
    event = OrderPaid(order.number)
    producer.send("orders", json.dumps(asdict(event)).encode()).get()  # <- CL601

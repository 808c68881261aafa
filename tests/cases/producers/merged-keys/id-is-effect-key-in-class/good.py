from dataclasses import asdict, dataclass

import orjson
from confluent_kafka import Producer

producer = Producer({"bootstrap.servers": "kafka:9092"})


@dataclass
class Task:
    id: str
    effect_key: str
    kind: str = "refund"


def refund(payment):
    task = Task(
        id=payment.id,
        effect_key=f"{payment.order}:refund",
    )
    producer.produce("tasks", orjson.dumps(asdict(task)))
    producer.flush()

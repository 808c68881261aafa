import json
from uuid import UUID, uuid4

import pika
from pydantic import BaseModel, Field


class LabelAsked(BaseModel):
    event_id: UUID = Field(default_factory=uuid4)  # <- CL203
    parcel: str


def on_parcel(channel, method, properties, body):
    parcel = json.loads(body)
    event = LabelAsked(parcel=parcel["id"])
    channel.basic_publish("events", "label.asked", event.model_dump_json())
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("parcels", on_parcel)

import json
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

import pika
from pydantic import BaseModel, Field


class LabelAsked(BaseModel):
    event_id: UUID = Field(default_factory=uuid4)
    parcel: str


def on_parcel(channel, method, properties, body):
    parcel = json.loads(body)
    event = LabelAsked(event_id=uuid5(NAMESPACE_OID, parcel["id"]), parcel=parcel["id"])
    channel.basic_publish("events", "label.asked", event.model_dump_json())
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("parcels", on_parcel)

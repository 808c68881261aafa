import aio_pika
from pydantic import BaseModel, Field


class OrderPaid(BaseModel):
    event: str = Field(serialization_alias="id")
    kind: str = "order.paid"
    schema_version: int = 2


async def order_paid(exchange: aio_pika.abc.AbstractExchange, order):
    event = OrderPaid(event=order.event_id)
    message = aio_pika.Message(body=event.model_dump_json(by_alias=True).encode())
    await exchange.publish(message, routing_key="orders")

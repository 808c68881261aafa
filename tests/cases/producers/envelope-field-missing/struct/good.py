import msgspec
import nats


class OrderPaid(msgspec.Struct):
    id: str
    kind: str = "order.paid"
    schema_version: int = 1


async def order_paid(order):
    connection = await nats.connect("nats://localhost")
    stream = connection.jetstream()
    await stream.publish("orders.paid", msgspec.json.encode(OrderPaid(order.event_id)))

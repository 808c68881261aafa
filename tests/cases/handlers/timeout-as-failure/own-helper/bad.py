"""The request is in a helper, the loop around it counts."""
import httpx
import pika


def order_courier(client, parcel):
    tries = 0
    while tries < 3:
        try:
            return client.post("https://courier.example/pickups", content=parcel)  # <- CL401
        except httpx.ReadTimeout:  # <- CL402
            tries += 1
    raise RuntimeError("no courier")


def on_parcel(channel, method, properties, body):
    with httpx.Client() as client:
        order_courier(client, body)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("parcels", on_parcel)

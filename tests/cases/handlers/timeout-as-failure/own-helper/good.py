"""The courier knows the second request by its key."""
import httpx
import pika


def order_courier(client, parcel, key):
    headers = {"Idempotency-Key": key}
    tries = 0
    while tries < 3:
        try:
            return client.post("https://courier.example/pickups", content=parcel, headers=headers)
        except httpx.ReadTimeout:
            tries += 1
    raise RuntimeError("no courier")


def on_parcel(channel, method, properties, body):
    with httpx.Client() as client:
        order_courier(client, body, f"pickup:{properties.message_id}")
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("parcels", on_parcel)

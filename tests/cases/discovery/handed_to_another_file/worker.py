import pika
from listing import Listing
from orders import Orders, keep, parse_order


class Service:
    def __init__(self, parts: list[Listing]):
        self.parts = parts

    def handle(self, body):  # <- handler
        for part in self.parts:
            part.enter_order(body)


def main():
    service = Service([Listing()])
    orders = Orders()

    def on_order(channel, method, properties, body):  # <- handler
        service.handle(body)
        orders.store(parse_order(body))
        for position, part in enumerate(body.split()):
            keep(position, part)
        channel.basic_ack(method.delivery_tag)

    pika.BlockingConnection().channel().basic_consume("orders", on_order)

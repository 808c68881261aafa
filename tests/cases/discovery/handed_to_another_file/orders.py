"""What is only made of a message is not the message."""

import json


def parse_order(body):
    return json.loads(body)


def keep(position, part):
    print(position, part)


class Orders:
    def store(self, order):
        print(order)

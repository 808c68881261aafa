from stream import pubsub


class Orders:
    def start(self):
        return pubsub.pull("projects/shop/subscriptions/orders", self.on_order)

    def on_order(self, message):  # <- handler
        print(message.data)
        message.ack()

import amqpstorm

connection = amqpstorm.Connection("localhost", "guest", "guest")
channel = connection.channel()


def on_order(message):  # <- handler
    print(message.body)
    message.ack()


channel.basic.consume(on_order, "orders", no_ack=False)


def bills():  # <- handler
    with amqpstorm.Connection("localhost", "guest", "guest") as one:
        with one.channel() as its:
            its.basic.consume(queue="bills")
            for message in its.build_inbound_messages():
                message.reject(requeue=False)

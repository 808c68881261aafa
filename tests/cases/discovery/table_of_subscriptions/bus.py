import aio_pika


class Bus:
    async def subscribe(self, name, callback):
        connection = await aio_pika.connect("amqp://shop")
        channel = await connection.channel()
        queue = await channel.declare_queue(name)
        await queue.consume(callback)

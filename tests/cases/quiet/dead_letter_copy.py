"""The copy in the dead-letter queue carries the reason, and is confirmed before the ack."""
import json

import aiormq

from mill import grind


async def on_sack(message: aiormq.abc.DeliveredMessage):
    channel = message.channel
    try:
        await grind(json.loads(message.body))
    except Exception as error:
        await channel.basic_publish(
            message.body,
            routing_key="sacks.dead",
            properties=aiormq.spec.Basic.Properties(headers={"reason": repr(error)}),
        )
    await channel.basic_ack(message.delivery.delivery_tag)


async def main():
    connection = await aiormq.connect("amqp://mq/")
    channel = await connection.channel()
    await channel.basic_consume("sacks", on_sack)

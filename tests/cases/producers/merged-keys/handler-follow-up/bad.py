import json
import uuid

import aio_pika


class Labels:
    def __init__(self, exchange: aio_pika.abc.AbstractExchange):
        self.exchange = exchange

    async def on_parcel(self, message: aio_pika.abc.AbstractIncomingMessage):
        parcel = json.loads(message.body)
        follow_up = aio_pika.Message(
            body=json.dumps({"parcel": parcel["id"]}).encode(),
            message_id=str(uuid.uuid4()),  # <- CL203
        )
        await self.exchange.publish(follow_up, routing_key="labels")
        await message.ack()

"""Acknowledged after the file is closed."""
import aiofiles
import aiormq


async def on_letter(message: aiormq.abc.DeliveredMessage):
    name = message.header.properties.message_id
    async with aiofiles.open(f"/srv/letters/{name}.txt", "wb") as file:
        await file.write(message.body)
    await message.channel.basic_ack(message.delivery.delivery_tag)


async def main():
    connection = await aiormq.connect("amqp://mq/")
    channel = await connection.channel()
    await channel.basic_consume("letters", on_letter)

"""A message that its schema refuses is sent back."""
import aio_pika
import pydantic


class Booking(pydantic.BaseModel):
    room: int


async def on_booking(message: aio_pika.IncomingMessage):
    try:
        booking = Booking.model_validate_json(message.body)
    except pydantic.ValidationError:
        await message.nack(requeue=True)  # <- CL303
        return
    with open(f"/srv/rooms/{booking.room}", "wb") as file:
        file.write(message.body)
    await message.ack()

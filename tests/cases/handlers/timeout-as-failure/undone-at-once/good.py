"""Nobody knows, and the state says so."""
import aio_pika
import httpx


async def on_booking(message: aio_pika.IncomingMessage, booking, hotel):
    key = {"Idempotency-Key": booking.id}
    async with httpx.AsyncClient() as client:
        try:
            await client.post("https://hotel.example/bookings", content=message.body, headers=key)
        except httpx.ReadTimeout:
            booking.status = "unknown"
            booking.save()
    await message.ack()

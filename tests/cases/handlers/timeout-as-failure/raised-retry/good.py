"""The id of the job stays the same in each run; the other side knows the repeat by it."""
import httpx
from arq import Retry


async def send_text(ctx, number, text):
    body = {"to": number, "text": text, "idempotency_key": ctx["job_id"]}
    async with httpx.AsyncClient() as client:
        try:
            await client.post("https://sms.example/texts", json=body)
        except httpx.TimeoutException:
            raise Retry(defer=ctx["job_try"] * 5)


class WorkerSettings:
    functions = [send_text]

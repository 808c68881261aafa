"""arq is asked for another run."""
import httpx
from arq import Retry


async def send_text(ctx, number, text):
    async with httpx.AsyncClient() as client:
        try:
            await client.post("https://sms.example/texts", json={"to": number, "text": text})  # <- CL401
        except httpx.TimeoutException:  # <- CL402
            raise Retry(defer=ctx["job_try"] * 5)


class WorkerSettings:
    functions = [send_text]

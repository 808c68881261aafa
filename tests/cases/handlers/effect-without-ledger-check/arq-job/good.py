"""The receiver is handed a key made of the job's own arguments."""
import arq
import httpx


async def tell(ctx, url: str, order: str):
    async with httpx.AsyncClient() as http:
        await http.post(url, json={"order": order}, headers={"Idempotency-Key": f"tell:{order}"})


class WorkerSettings:
    functions = [arq.func(tell, name="tell", max_tries=5)]

"""An arq job posts a webhook at each attempt."""
import arq
import httpx


async def tell(ctx, url: str, order: str):
    async with httpx.AsyncClient() as http:
        await http.post(url, json={"order": order})  # <- CL401


class WorkerSettings:
    functions = [arq.func(tell, name="tell", max_tries=5)]

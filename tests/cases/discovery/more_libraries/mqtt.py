import aiomqtt
import greenstalk


async def listen():  # <- handler
    async with aiomqtt.Client("broker") as client:
        await client.subscribe("orders/#")
        async for message in client.messages:
            print(message.payload)


def jobs():  # <- handler
    with greenstalk.Client(("127.0.0.1", 11300)) as client:
        while True:
            job = client.reserve()
            print(job.body)
            client.delete(job)

"""taskiq: acknowledged when received, by the decorator's own argument."""
import pathlib

from taskiq import AckType
from taskiq_aio_pika import AioPikaBroker

broker = AioPikaBroker("amqp://mq/")


@broker.task(ack_type=AckType.WHEN_RECEIVED)  # <- CL102
async def render(page_id: str, text: str) -> None:
    pathlib.Path("/srv/pages", f"{page_id}.html").write_text(text)

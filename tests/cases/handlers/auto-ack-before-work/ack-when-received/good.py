"""Acknowledged when the task has run."""
import pathlib

from taskiq import AckType
from taskiq_aio_pika import AioPikaBroker

broker = AioPikaBroker("amqp://mq/")


@broker.task(ack_type=AckType.WHEN_EXECUTED)
async def render(page_id: str, text: str) -> None:
    pathlib.Path("/srv/pages", f"{page_id}.html").write_text(text)

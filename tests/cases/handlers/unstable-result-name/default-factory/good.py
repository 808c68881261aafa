"""Given from outside."""
import json
import pathlib
import uuid
from dataclasses import dataclass, field

import pika


@dataclass
class Sheet:
    text: str
    name: str
    trace: str = field(default_factory=lambda: uuid.uuid4().hex)


def on_sheet(channel, method, properties, body):
    data = json.loads(body)
    sheet = Sheet(data["text"], data["id"])
    pathlib.Path("/srv/sheets", sheet.name).write_text(sheet.text)
    print(sheet.trace)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("sheets", on_sheet)

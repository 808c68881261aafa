"""The name is made by a default of a data class."""
import json
import pathlib
import uuid
from dataclasses import dataclass, field

import pika


@dataclass
class Sheet:
    text: str
    name: str = field(default_factory=lambda: uuid.uuid4().hex)  # <- CL201


def on_sheet(channel, method, properties, body):
    sheet = Sheet(json.loads(body)["text"])
    pathlib.Path("/srv/sheets", sheet.name).write_text(sheet.text)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("sheets", on_sheet)

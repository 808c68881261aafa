"""A method gives the object its id, and the object is named after it."""
import json
from dataclasses import dataclass
from uuid import uuid4

import boto3
import rq

s3 = boto3.client("s3")


@dataclass
class Selection:
    job: str
    text: str
    id: bytes | None = None

    def set_id(self) -> None:
        self.id = str(uuid4()).encode("utf-8")  # <- CL201

    @property
    def object_key(self) -> str:
        return "selections/%(id)s.json" % {"id": self.id.decode("utf-8")}


def upload(selection: Selection):
    s3.put_object(Bucket="shop", Key=selection.object_key, Body=selection.text)


def materialize(job, text):
    selection = Selection(job=job, text=text)
    selection.set_id()
    upload(selection)


queue = rq.Queue()
queue.enqueue(materialize, "job", "text")

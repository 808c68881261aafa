"""One step to the left."""
import contextlib
import json

import pika
from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

from vets.models import Visit

Session = sessionmaker(create_engine("postgresql://db/vets"))


@contextlib.contextmanager
def unit():
    session = Session()
    try:
        yield session
        session.commit()
    except Exception:
        session.rollback()
        raise
    finally:
        session.close()


def on_visit(channel, method, properties, body):
    visit = json.loads(body)
    with unit() as session:
        session.merge(Visit(id=visit["id"], pet=visit["pet"]))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("visits", on_visit)

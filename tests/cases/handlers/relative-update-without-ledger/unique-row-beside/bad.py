import json

import pika
from sqlalchemy import create_engine, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

engine = create_engine("postgresql://db/seats")


class Base(DeclarativeBase):
    pass


class Show(Base):
    __tablename__ = "shows"
    id: Mapped[int] = mapped_column(primary_key=True)
    free: Mapped[int]


def on_booking(channel, method, properties, body):
    booking = json.loads(body)
    with Session(engine) as session:
        rows = update(Show).where(Show.id == booking["show"])
        session.execute(rows.values(free=Show.free - booking["seats"]))  # <- CL503
        session.commit()
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("bookings", on_booking)

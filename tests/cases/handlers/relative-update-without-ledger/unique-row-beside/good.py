import json

import pika
from sqlalchemy import create_engine, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

engine = create_engine("postgresql://db/seats")


class Base(DeclarativeBase):
    pass


class Show(Base):
    __tablename__ = "shows"
    id: Mapped[int] = mapped_column(primary_key=True)
    free: Mapped[int]


class Booked(Base):
    __tablename__ = "booked"
    booking: Mapped[str] = mapped_column(primary_key=True)


def on_booking(channel, method, properties, body):
    booking = json.loads(body)
    with Session(engine) as session:
        rows = update(Show).where(Show.id == booking["show"])
        try:
            session.add(Booked(booking=booking["id"]))
            session.flush()
            session.execute(rows.values(free=Show.free - booking["seats"]))
            session.commit()
        except IntegrityError:
            session.rollback()
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("bookings", on_booking)

import uuid

import pika
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Outbox(Base):
    __tablename__ = "outbox"
    id: Mapped[int] = mapped_column(primary_key=True)
    topic: Mapped[str]
    body: Mapped[bytes]
    sent: Mapped[bool] = mapped_column(default=False)


def relay(session: Session, channel: pika.channel.Channel):
    for row in session.query(Outbox).filter_by(sent=False):
        key = uuid.uuid5(uuid.NAMESPACE_OID, f"outbox:{row.id}")
        properties = pika.BasicProperties(message_id=str(key))
        channel.basic_publish("events", row.topic, row.body, properties)
        row.sent = True
        session.commit()

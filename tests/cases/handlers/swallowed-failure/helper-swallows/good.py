"""The helper answers False, and the handler asks."""
import json
import logging

import pika
import sqlalchemy

engine = sqlalchemy.create_engine("sqlite:///plants.db")
ADD = sqlalchemy.text("INSERT INTO plants VALUES (:id, :species)")


def enter(plant):
    try:
        with engine.begin() as db:
            db.execute(ADD, {"id": plant["id"], "species": plant["species"]})
    except sqlalchemy.exc.SQLAlchemyError:
        logging.exception("plant not entered")
        return False
    return True


def on_plant(channel, method, properties, body):
    if enter(json.loads(body)):
        channel.basic_ack(method.delivery_tag)
    else:
        channel.basic_reject(method.delivery_tag, requeue=False)


pika.BlockingConnection().channel().basic_consume("plants", on_plant)

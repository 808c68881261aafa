"""The failure is swallowed one function deeper; the handler cannot know."""
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
    except sqlalchemy.exc.SQLAlchemyError:  # <- CL104
        logging.exception("plant not entered")


def on_plant(channel, method, properties, body):
    enter(json.loads(body))
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("plants", on_plant)

"""no_ack on a kombu consumer."""
import json

import kombu
from peewee import CharField, Model, SqliteDatabase


class Sighting(Model):
    bird = CharField()
    ring = CharField(primary_key=True)

    class Meta:
        database = SqliteDatabase("birds.db")


def on_sighting(body, message):
    sighting = json.loads(body)
    Sighting.create(ring=sighting["ring"], bird=sighting["bird"])


with kombu.Connection("amqp://mq//") as connection:
    with connection.Consumer("sightings", callbacks=[on_sighting], no_ack=True):  # <- CL102
        while True:
            connection.drain_events()

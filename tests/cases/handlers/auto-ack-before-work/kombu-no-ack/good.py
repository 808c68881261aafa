"""Acknowledged after create()."""
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
    message.ack()


with kombu.Connection("amqp://mq//") as connection:
    with connection.Consumer("sightings", callbacks=[on_sighting]):
        while True:
            connection.drain_events()

"""The failed record ends the loop before anything behind it is committed."""
import json
import logging

from kafka import KafkaConsumer
from pymongo import MongoClient

films = MongoClient()["cinema"]["films"]


class Loader:
    def __init__(self):
        self.consumer = KafkaConsumer("films", group_id="cinema", enable_auto_commit=False)

    def one(self, record):
        try:
            film = json.loads(record.value)
            films.replace_one({"_id": film["id"]}, film, upsert=True)
        except Exception:
            logging.exception("film %s:%s", record.partition, record.offset)
            raise

    def run(self):
        while True:
            for records in self.consumer.poll(timeout_ms=1000).values():
                for record in records:
                    self.one(record)
            self.consumer.commit()

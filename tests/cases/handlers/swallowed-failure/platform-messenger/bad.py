"""The thread that calls back commits what has been called back, whether it was stored or not."""
import json
import logging

import pymongo
from dojot.module import Config, Messenger

LOG = logging.getLogger(__name__)
readings = pymongo.MongoClient().plant.readings


def on_reading(tenant, message):
    try:
        readings.insert_one(json.loads(message))
    except Exception as error:  # <- CL104
        LOG.warning("not stored: %s", error)


messenger = Messenger("keeper", Config())
messenger.init()
messenger.on("device-data", "message", on_reading)

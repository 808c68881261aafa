"""What cannot be stored is set aside where somebody looks."""
import json
import logging

import pymongo
from dojot.module import Config, Messenger

LOG = logging.getLogger(__name__)
plant = pymongo.MongoClient().plant


def on_reading(tenant, message):
    try:
        plant.readings.insert_one(json.loads(message))
    except Exception as error:
        LOG.warning("not stored: %s", error)
        plant.quarantine.insert_one({"tenant": tenant, "raw": message, "why": str(error)})


messenger = Messenger("keeper", Config())
messenger.init()
messenger.on("device-data", "message", on_reading)

import json

from kafka import KafkaConsumer
from pymongo import MongoClient

customers = MongoClient().crm.customers
consumer = KafkaConsumer("customers", group_id="crm", enable_auto_commit=False)

for record in consumer:
    customer = json.loads(record.value)
    stored = customers.find_one({"_id": customer["id"]}) or {"version": 0}
    if stored["version"] >= customer["version"]:
        consumer.commit()
        continue
    customers.replace_one({"_id": customer["id"]}, customer, upsert=True)
    consumer.commit()

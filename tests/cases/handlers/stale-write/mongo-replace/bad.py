import json

from kafka import KafkaConsumer
from pymongo import MongoClient

customers = MongoClient().crm.customers
consumer = KafkaConsumer("customers", group_id="crm", enable_auto_commit=False)

for record in consumer:
    customer = json.loads(record.value)
    if customer.get("version") is None:
        raise ValueError("a customer without a version")
    customers.replace_one({"_id": customer["id"]}, customer, upsert=True)  # <- CL504
    consumer.commit()

import confluent_kafka
import pymongo
import requests

bills = pymongo.MongoClient("mongodb://shop").shop.bills
consumer = confluent_kafka.Consumer({"group.id": "bills", "enable.auto.commit": False})


def run():
    while True:
        message = consumer.poll(1)
        bill = message.value()
        if bills.count_documents({"bill": bill["id"]}) == 0:
            requests.post("https://pay.example/charges", json=bill)
        consumer.commit()

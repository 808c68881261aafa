"""How many rows there are for the message is asked before the effect."""

import confluent_kafka
import pymongo
import requests

bills = pymongo.MongoClient("mongodb://shop").shop.bills
consumer = confluent_kafka.Consumer({"group.id": "bills", "enable.auto.commit": False})


def one_is_enough():
    while True:
        message = consumer.poll(1)
        bill = message.value()
        if bills.count_documents({"bill": bill["id"]}, limit=1) == 1:
            continue
        requests.post("https://pay.example/charges", json=bill)
        consumer.commit()


def more_than_none():
    while True:
        message = consumer.poll(1)
        bill = message.value()
        if bills.count_documents({"bill": bill["id"]}) > 0:
            continue
        requests.post("https://pay.example/charges", json=bill)
        consumer.commit()


def fewer_than_one():
    while True:
        message = consumer.poll(1)
        bill = message.value()
        if bills.count_documents({"bill": bill["id"]}) < 1:
            requests.post("https://pay.example/charges", json=bill)
        consumer.commit()

"""Reading has no effect to repeat, also when it is a POST that searches or signs in."""
import json

import requests
from confluent_kafka import Consumer
from elasticsearch import Elasticsearch

session = requests.Session()
index = Elasticsearch()
consumer = Consumer({"bootstrap.servers": "k", "group.id": "g", "enable.auto.commit": False})
consumer.subscribe(["questions"])

while True:
    message = consumer.poll(1)
    if message is None or message.error():
        continue
    question = json.loads(message.value())
    token = session.post("https://id.example/oauth/token", data={"grant": "client"}).json()
    page = session.get("https://wiki.example/pages", params={"q": question["text"]})
    hits = session.post("https://wiki.example/_search", json={"q": question["text"]}).json()
    row = {"token": bool(token), "page": page.text, "hits": hits}
    index.index(index="answers", id=question["id"], document=row)
    consumer.commit(message)

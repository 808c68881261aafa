"""Twins: a handler that is right, and one that differs from it in a single place and is not."""

import pytest

from contractlint.engine import EngineSettings, check_source

CODES = ("CL101", "CL102", "CL104", "CL201", "CL301", "CL401")
SETTINGS = EngineSettings(frozenset(CODES), {}, (), (), {}, ())

TASKIQ = """
from taskiq_redis import RedisStreamBroker
broker = RedisStreamBroker("redis://r")

@broker.task(schedule=[{"cron": "0 * * * *"}])
async def look(feed="main"):
    try:
        await ournews.fetch(feed)
    except OSError as error:
        logging.warning("not now: %s", error)
"""
PERIODIQ = """
import dramatiq

@dramatiq.actor(periodic=cron("0 * * * *"))
def look(feed="main"):
    try:
        ournews.fetch(feed)
    except OSError as error:
        logging.warning("not now: %s", error)
"""
CACHED = """
import dramatiq

@dramatiq.actor
def rename(page, title):
    oursite.rename(page, title)
    try:
        cache.delete_many(page)
    except Exception:
        logging.exception("still cached")
"""
WARMED = """
import dramatiq

def warm_up_cache(page):
    try:
        oursite.render(page)
    except Exception:
        logging.exception("not rendered")

@dramatiq.actor
def rename(page):
    warm_up_cache(page)
"""
BEATING = """
import stomp

def heartbeat(conn, frame):
    try:
        conn.send("/queue/beats", frame.body)
    except Exception:
        logging.exception("no beat")

class Listener(stomp.ConnectionListener):
    def __init__(self, conn):
        self.conn = conn

    def on_message(self, frame):
        heartbeat(self.conn, frame)
        self.conn.ack(frame.headers["message-id"], frame.headers["subscription"])
"""
GUARDED_LINE = """
import dramatiq

@dramatiq.actor
def count(vote):
    try:
        logging.info(f"vote of {vote['voter']}")
    except Exception:
        logging.info("vote")
    ourforms.count(vote)
"""
REPORTED = """
import requests
import dramatiq

@dramatiq.actor
def file(form):
    try:
        ourforms.file(form)
    except ValueError as error:
        report_failure_upstairs(form, error)

def report_failure_upstairs(form, error):
    requests.post("https://desk.example/reports", json={"form": form, "error": repr(error)})
"""
GIVEN_AN_ERROR = """
import requests

def handle_error(channel, tag, body, error):
    requests.post("https://desk.example/reports", data=body)
    channel.basic_nack(delivery_tag=tag, requeue=False)
"""
THROWN_AWAY = """
import uuid
from confluent_kafka import Consumer

def watch():
    consumer = Consumer({"bootstrap.servers": "k", "group.id": uuid.uuid4().hex})
    consumer.subscribe(["pages"])
    while True:
        record = consumer.poll(1.0)
        oursite.render(record.value())
"""
COLLECTED = """
import boto3
sqs = boto3.client("sqs")

class Results:
    def __init__(self):
        self.rows = []

    def add(self, row):
        self.rows.append(row)

def handler(event, context):
    results = Results()
    for record in event["Records"]:
        try:
            ourforms.file(record["body"])
        except Exception as error:
            results.add(repr(error))
            logging.exception("not filed")
    for row in results.rows:
        sqs.send_message(QueueUrl="answers", MessageBody=row)
"""
REPORTING_HELPER = """
def file_all(records):
    failed = []
    for record in records:
        try:
            ourforms.file(record["body"])
        except Exception:
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}

def handler(event, context):
    return file_all(event["Records"])
"""
FLAGGED = """
from kafka import KafkaConsumer
from kafka.errors import KafkaError

def run():
    consumer = KafkaConsumer("pages", group_id="site", enable_auto_commit=False)
    for record in consumer:
        oursite.render(record.value)
        done = False
        while not done:
            try:
                consumer.commit()
                done = True
            except KafkaError:
                time.sleep(1)
"""
GATHERED = """
import asyncio
from taskiq_redis import RedisStreamBroker
broker = RedisStreamBroker("redis://r")

@broker.task
async def tell(members):
    async def one(member):
        await ourpost.deliver(member)
    tasks = [asyncio.create_task(one(member)) for member in members]
    await asyncio.gather(*tasks)
"""
NEXT_ONE = """
from google.cloud.pubsub_v1 import SubscriberClient
client = SubscriberClient()

def run():
    while True:
        answer = client.pull(subscription="pages", max_messages=9)
        received = answer.received_messages
        for one in received:
            if one.message.data == b"ping":
                client.acknowledge(subscription="pages", ack_ids=[one.ack_id])
                continue
            oursite.render(one.message.data)
"""
OF_THE_CLASS = """
import dramatiq

class Forwarder:
    def send_alerts(self, alerts):
        ourtable.put(alerts)

class Engine:
    forwarder = None

    def __init__(self):
        Engine.forwarder = Engine.forwarder or Forwarder()

    def run(self, alerts):
        self.forwarder.send_alerts(alerts)

@dramatiq.actor
def judge(alerts):
    Engine().run(alerts)
"""
MARKED = """
import dramatiq
import redis
marks = redis.Redis()

def mark_page_failed(page):
    try:
        marks.sadd("failed", page)
    except Exception:
        logging.exception("not marked")

@dramatiq.actor
def render(page):
    try:
        oursite.render(page)
    except Exception:
        mark_page_failed(page)
"""
TOLD_APART_BY_A_HELPER = """
import pika

class Worker:
    hopeless = (KeyError,)

    def again(self, body, error):
        if isinstance(error, self.hopeless):
            logging.info("dropped")
        else:
            self.channel.basic_publish("", "later", body)

    def on_page(self, channel, method, properties, body):
        try:
            oursite.render(body)
        except Exception as error:
            self.again(body, error)
        channel.basic_ack(method.delivery_tag)

    def run(self):
        self.channel = pika.BlockingConnection().channel()
        self.channel.basic_consume("pages", self.on_page)
"""
COUNTED = """
from celery import shared_task

@shared_task
def track_event(user, name):
    try:
        ouranalysis.capture(user, name)
    except Exception:
        logging.exception("not counted")
"""
WORKED_OFF = """
import stomp

class Listener(stomp.ConnectionListener):
    def __init__(self, conn):
        self.conn = conn
        self.pages = []
        self.ids = []

    def on_message(self, frame):
        self.ids.append(frame.headers["message-id"])
        self.pages.append(frame.body)
        if len(self.ids) > 100:
            self.render()
            for one in self.ids:
                self.conn.ack(one, frame.headers["subscription"])

    def render(self):
        for page in self.pages:
            if page:
                oursite.render(page)
"""
TWICE = """
import dramatiq

@dramatiq.actor
def render(page):
    try:
        oursite.render(page)
    except Exception:
        oursite.mark_failed(page)
        try:
            oursite.render_later(page)
        except Exception:
            logging.exception("not later either")
"""

ITS_OWN_LOOP = """
import pika

class Watcher:
    def __init__(self, channel):
        self.channel = channel
        self.tags = []

    def run(self):
        try:
            self.look_round()
            ourloop.start(self.tags)
        except Exception:
            logging.exception("stopped")
        self.look_round()

    def look_round(self):
        self.channel.basic_ack(self.tags[-1], multiple=True)
"""

ANSWERED = """
import dramatiq

@dramatiq.actor(store_results=True)
def ask(question):
    try:
        return ouroracle.ask(question)
    except Exception as error:
        logging.exception("no answer")
        return error
"""

ACK_AGAIN = """
import pika

class Pages:
    def on_page(self, channel, method, properties, body):
        oursite.render(body)
        try:
            channel.basic_ack(method.delivery_tag)
        except pika.exceptions.ConnectionClosed:
            logging.exception("once more")
            channel.basic_ack(method.delivery_tag)

    def run(self):
        pika.BlockingConnection().channel().basic_consume("pages", self.on_page)
"""
HANDED_ON = """
import queue
import pika
later = queue.Queue()

def on_page(channel, method, properties, body):
    try:
        later.put((method.delivery_tag, body))
    except Exception:
        logging.exception("no room")
        channel.basic_nack(method.delivery_tag, requeue=True)

pika.BlockingConnection().channel().basic_consume("pages", on_page)
"""
LOGGED = """
import redis
r = redis.Redis()

def run(loggers):
    while True:
        key, record = r.blpop(["records"])
        loggers[key].handle(record)
"""
AN_ERROR_IS_MADE = """
import redis

class NothingThere(Exception):
    def __init__(self, message):
        super().__init__(message)

class Pipeline:
    def __init__(self):
        self.pipe = redis.Redis()

    def acknowledge(self):
        taken = self.pipe.rpop("internal")
        if not taken:
            raise NothingThere(taken)
"""

TWINS = {
    "clock of taskiq": (TASKIQ, 'schedule=[{"cron": "0 * * * *"}]', "timeout=5", "CL104"),
    "clock of periodiq": (PERIODIQ, "periodic=cron", "priority=ours", "CL104"),
    "cache": (CACHED, "cache.delete_many", "ledger_of.delete_many", "CL104"),
    "function that fills a cache": (WARMED, "warm_up_cache", "make_ready", "CL104"),
    "heartbeat": (BEATING, "heartbeat", "forward", "CL104"),
    "only a line of the log": (
        GUARDED_LINE,
        "logging.info(f",
        "ourforms.add(f",
        "CL104",
    ),
    "report of a failure": (REPORTED, "report_failure_upstairs", "tell_upstairs", "CL401"),
    "given an error": (GIVEN_AN_ERROR, "body, error", "body, form", "CL401"),
    "thrown-away group": (THROWN_AWAY, "uuid.uuid4().hex", '"site"', "CL102"),
    "collected": (COLLECTED, "results.rows:", "record['attributes']:", "CL104"),
    "report of a helper": (REPORTING_HELPER, '{"batchItemFailures": failed}', "failed", "CL104"),
    "gathered": (GATHERED, "await asyncio.gather(*tasks)", "logging.info(len(tasks))", "CL101"),
    "next message": (NEXT_ONE, "                continue\n", "", "CL101"),
    "attribute of the class": (OF_THE_CLASS, "or Forwarder()", "or ourmail.sender()", "CL401"),
    "told apart": (
        TOLD_APART_BY_A_HELPER,
        "if isinstance(error, self.hopeless):",
        "if oursite:",
        "CL104",
    ),
    "worked off": (WORKED_OFF, "            self.render()\n", "", "CL101"),
    "own loop": (
        ITS_OWN_LOOP,
        "def __init__(self, channel)",
        "def __init__(self, channel, body)",
        "CL104",
    ),
    "the error is the answer": (ANSWERED, "return error", "return None", "CL104"),
    "the ack itself": (
        ACK_AGAIN,
        "        try:\n",
        "        try:\n            oursite.seal(body)\n",
        "CL104",
    ),
    "handed on": (
        HANDED_ON,
        "later.put((method.delivery_tag, body))",
        "oursite.render(body)",
        "CL301",
    ),
    "records of a log": (LOGGED, "loggers[key].handle", "pages[key].handle", "CL102"),
    "an error that is made": (
        AN_ERROR_IS_MADE,
        "raise NothingThere(taken)",
        "oursite.note(taken)",
        "CL102",
    ),
    "telemetry": (COUNTED, "track_event", "enrol", "CL104"),
    "failed twice": (TWICE, "mark_failed(page)", "title(page)", "CL104"),
    "marked": (MARKED, "mark_page_failed", "note_page", "CL104"),
}


def codes(source, tmp_path):
    source = f"import logging\nimport time\n\nimport ournews, oursite, ourforms, ourforms\n{source}"
    result = check_source("app.py", source.encode(), SETTINGS, str(tmp_path))
    return {finding.code for finding in result.findings}


@pytest.mark.parametrize("source", [one[0] for one in TWINS.values()], ids=list(TWINS))
def test_the_right_one_is_silent(source, tmp_path):
    assert codes(source, tmp_path) == set()


@pytest.mark.parametrize(
    ("source", "right", "wrong", "code"), list(TWINS.values()), ids=list(TWINS)
)
def test_the_other_one_is_found(source, right, wrong, code, tmp_path):
    assert right in source
    assert code in codes(source.replace(right, wrong), tmp_path)


def test_a_commit_that_is_tried_until_a_flag_is_set(tmp_path):
    assert codes(FLAGGED, tmp_path) == set()

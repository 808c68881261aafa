"""Handlers are followed through the project: modules, base classes, settings, wrappers.

One file is checked, as a pre-commit hook does; the others are read on demand.
"""

import pytest

STORE = """\
import pathlib


def keep(order):
    pathlib.Path("/srv/orders", order["id"]).write_text(order["text"])
"""


@pytest.fixture
def found(project, check):
    """Write the files of a project and check one of them."""

    def found(checked: str, *options: str, **files: str):
        for name, content in files.items():
            path = name.replace("__", "/").replace("/init/", "__init__") + ".py"
            project.write(path, content)
        ran = check("--no-cache", *options, checked)
        assert ran.errors == []
        return ran.found

    return found


ACKS_FIRST = """\
import json

import pika

{imported}


def on_order(channel, method, properties, body):
    channel.basic_ack(method.delivery_tag)
    {call}(json.loads(body))


pika.BlockingConnection().channel().basic_consume("orders", on_order)
"""


@pytest.mark.parametrize(
    ("path", "imported", "call", "store"),
    [
        ("app", "from store import keep", "keep", "store"),
        ("app", "import store", "store.keep", "store"),
        ("app", "import store as s", "s.keep", "store"),
        ("shop__app", "from .store import keep", "keep", "shop__store"),
        ("shop__app", "from . import store", "store.keep", "shop__store"),
        ("shop__app", "from shop.store import keep as k", "k", "shop__store"),
        ("shop__work__app", "from ..store import keep", "keep", "shop__store"),
        ("src__shop__app", "from shop.store import keep", "keep", "src__shop__store"),
        ("lambdas__app", "from store import keep", "keep", "layers__shop__python__store"),
        ("lambdas__orders__app", "import store", "store.keep", "python__store"),
    ],
)
def test_a_helper_in_another_module(found, path, imported, call, store):
    files = {path: ACKS_FIRST.format(imported=imported, call=call), store: STORE}
    checked = path.replace("__", "/") + ".py"
    assert found(checked, **files) == [(checked, 9, "CL101")]


def test_what_the_helper_does_decides(found):
    """`keep` that only reads loses nothing."""
    reads = "def keep(order):\n    return open('/srv/' + order['id']).read()\n"
    files = {"app": ACKS_FIRST.format(imported="from store import keep", call="keep")}
    assert found("app.py", **files, store=reads) == []


def test_a_fault_in_a_helper_is_told_where_it_is(found):
    settle = "def settle(channel, method):\n    channel.basic_ack(method.delivery_tag)\n"
    app = (
        "import pika\nfrom helpers import settle\nfrom store import keep\n\n\n"
        "def on_order(channel, method, properties, body):\n"
        "    settle(channel, method)\n"
        "    keep({'id': '1', 'text': body})\n\n\n"
        "pika.BlockingConnection().channel().basic_consume('orders', on_order)\n"
    )
    assert found("app.py", app=app, helpers=settle, store=STORE) == [("helpers.py", 2, "CL101")]


BASE = """\
import pika


class Consumer:
    queue = "orders"

    def start(self):
        self.channel = pika.BlockingConnection().channel()
        self.channel.basic_consume(self.queue, self.on_message)
        self.channel.start_consuming()

    def on_message(self, channel, method, properties, body):
        {order}

    def handle(self, body):
        raise NotImplementedError

    def ack(self, method):
        self.channel.basic_ack(method.delivery_tag)
"""
OWN = """\
import pathlib

import pika

from base import Consumer


class Orders(Consumer):
    def handle(self, body):
        pathlib.Path("/srv/last").write_bytes(body)


Orders().start()
"""


def test_a_base_class_in_another_module(found):
    late = BASE.format(order="self.handle(body)\n        self.ack(method)")
    assert found("own.py", own=OWN, base=late) == []
    early = BASE.format(order="self.ack(method)\n        self.handle(body)")
    assert ("base.py", 20, "CL101") in found("own.py", own=OWN, base=early)


def test_constants_of_another_module(found):
    app = (
        "import pathlib\nimport pika\nimport settings\n\n\n"
        "def on_order(channel, method, properties, body):\n"
        "    pathlib.Path('/srv', properties.message_id).write_bytes(body)\n\n\n"
        "channel = pika.BlockingConnection().channel()\n"
        "channel.basic_consume('orders', on_order, auto_ack=settings.{name})\n"
    )
    files = {"settings": "FAST = True\nSAFE = False\n"}
    assert [row[2] for row in found("app.py", app=app.format(name="FAST"), **files)] == ["CL102"]
    assert found("app.py", app=app.format(name="SAFE"), **files) == []


def test_a_settings_dict_of_another_module(found):
    app = (
        "import pathlib\nfrom confluent_kafka import Consumer\nfrom conf import KAFKA\n\n"
        "consumer = Consumer({{**KAFKA, 'group.id': 'g'{more}}})\n"
        "consumer.subscribe(['orders'])\n"
        "while True:\n"
        "    message = consumer.poll(1)\n"
        "    if message is None or message.error():\n"
        "        continue\n"
        "    pathlib.Path('/srv', message.key().decode()).write_bytes(message.value())\n"
        "    consumer.commit(message)\n"
    )
    conf = "KAFKA = {'bootstrap.servers': 'k', 'enable.auto.commit': True}\n"
    codes = {row[2] for row in found("app.py", app=app.format(more=""), conf=conf)}
    assert codes == {"CL102"}
    more = ", 'enable.auto.commit': False"
    assert found("app.py", app=app.format(more=more), conf=conf) == []


TASK = """\
import pathlib

from proj.celery import app


@app.task
def export(job_id, text):
    pathlib.Path("/srv", job_id).write_text(text)
"""


@pytest.mark.parametrize(
    "setting",
    [
        "app.conf.task_acks_late = True",
        "app.conf.update(task_acks_late=True)",
        "app.conf.update({'task_acks_late': True})",
    ],
)
def test_the_configuration_of_a_celery_app_elsewhere(found, setting):
    celery = "from celery import Celery\napp = Celery('proj', broker='amqp://')\n"
    files = {"proj__tasks": TASK, "proj__celery": celery}
    early = ("--extend-select", "CL103")
    assert [row[2] for row in found("proj/tasks.py", *early, **files)] == ["CL103"]
    files["proj__celery"] = celery + setting + "\n"
    assert found("proj/tasks.py", *early, **files) == []


@pytest.mark.parametrize(
    "setting",
    [
        "class Settings:\n    task_acks_late = True\n",
        "SETTINGS = {'task_acks_late': True}\n",
        "CELERY_TASK_ACKS_LATE: bool = True\n",
    ],
)
def test_settings_that_are_loaded_by_their_name(found, setting):
    celery = "from celery import Celery\napp = Celery('proj')\napp.config_from_object('conf:x')\n"
    files = {"proj__tasks": TASK, "proj__celery": celery, "conf": setting}
    early = ("--extend-select", "CL103")
    assert found("proj/tasks.py", *early, **files) == []
    files["conf"] = "".join(f"# {line}\n" for line in setting.splitlines())
    assert [row[2] for row in found("proj/tasks.py", *early, **files)] == ["CL103"]


PARCELS = """\
import pathlib

import requests
from celery import Celery

app = Celery("parcels", broker="amqp://mq//")
app.conf.beat_schedule = {"pending": {"task": "parcels.refresh_pending", "schedule": 3600.0}}


@app.task
def refresh_pending():
    for parcel in pathlib.Path("/srv/pending").iterdir():
        refresh_parcel(parcel.name)


@app.task
def follow(parcel):
    refresh_parcel(parcel)


def refresh_parcel(parcel):
    answer = requests.get(f"https://carrier/{parcel}")
    pathlib.Path("/srv/parcels", parcel).write_bytes(answer.content)


def order(parcel):
    follow.delay(parcel)
"""
MARKED = "def follow(parcel):\n    pathlib.Path('/srv/told', parcel).write_text('told')\n"


def test_a_task_whose_work_a_schedule_does_again(found):
    """What a lost task would have done, the next run does; what only the task does is lost."""
    early = ("--extend-select", "CL103")
    assert found("parcels.py", *early, parcels=PARCELS) == []
    own_work = PARCELS.replace("def follow(parcel):\n", MARKED)
    assert [row[2] for row in found("parcels.py", *early, parcels=own_work)] == ["CL103"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("export", ["CL103"]), ("demodulate", ["CL103"]), ("debug_task", []), ("write_dummy", [])],
)
def test_a_task_that_only_tries_something_out_may_be_lost(found, name, expected):
    task = TASK.replace("from proj.celery import app", "from celery import shared_task")
    task = task.replace("app.task", "shared_task").replace("export", name)
    rows = found("tasks.py", "--extend-select", "CL103", tasks=task)
    assert [row[2] for row in rows] == expected


def test_a_decorator_of_the_project(found):
    tools = (
        "import functools\n\n\n"
        "def logged(function):\n"
        "    @functools.wraps(function)\n"
        "    def inner(*args, **kwargs):\n"
        "        print(function.__name__)\n"
        "        return function(*args, **kwargs)\n"
        "    return inner\n"
    )
    app = ACKS_FIRST.format(
        imported="from store import keep\nfrom tools import logged", call="keep"
    )
    app = app.replace("def on_order", "@logged\ndef on_order")
    assert [row[2] for row in found("app.py", app=app, tools=tools, store=STORE)] == ["CL101"]


def test_a_decorator_that_acknowledges(found):
    tools = (
        "import functools\n\n\n"
        "def acked(function):\n"
        "    @functools.wraps(function)\n"
        "    def inner(channel, method, properties, body):\n"
        "        {order}\n"
        "    return inner\n"
    )
    app = (
        "import pathlib\nimport pika\nfrom tools import acked\n\n\n"
        "@acked\ndef on_order(channel, method, properties, body):\n"
        "    pathlib.Path('/srv', properties.message_id).write_bytes(body)\n\n\n"
        "pika.BlockingConnection().channel().basic_consume('orders', on_order)\n"
    )
    work = "function(channel, method, properties, body)"
    ack = "channel.basic_ack(method.delivery_tag)"
    late = tools.format(order=f"{work}\n        {ack}")
    assert found("app.py", app=app, tools=late) == []
    early = tools.format(order=f"{ack}\n        {work}")
    assert [row[2] for row in found("app.py", app=app, tools=early)] == ["CL101"]


def test_exceptions_of_the_project_in_another_module(found):
    app = (
        "import pika\nfrom errors import Refused\nfrom elsewhere import store\n\n\n"
        "def on_order(channel, method, properties, body):\n"
        "    try:\n"
        "        store(body)\n"
        "    except Refused:\n"
        "        channel.basic_nack(method.delivery_tag)\n"
        "    else:\n"
        "        channel.basic_ack(method.delivery_tag)\n\n\n"
        "pika.BlockingConnection().channel().basic_consume('orders', on_order)\n"
    )
    assert found("app.py", app=app, errors="class Refused(ConnectionError): ...\n") == []
    codes = [row[2] for row in found("app.py", app=app, errors="class Refused(ValueError): ...\n")]
    assert codes == ["CL303"]


def test_a_handler_registered_by_another_module(found):
    handlers = (
        "import pathlib\n\n\n"
        "def on_order(channel, method, properties, body):\n"
        "    channel.basic_ack(method.delivery_tag)\n"
        "    pathlib.Path('/srv', properties.message_id).write_bytes(body)\n"
    )
    main = (
        "import pika\nfrom handlers import on_order\n\n"
        "pika.BlockingConnection().channel().basic_consume('orders', on_order)\n"
    )
    expected = [("handlers.py", 5, "CL101")]
    assert found("main.py", main=main, handlers=handlers) == expected
    assert found("handlers.py", main=main, handlers=handlers) == expected
    assert found(".", main=main, handlers=handlers) == expected


def test_the_sides_of_a_circle_of_imports(found):
    app = ACKS_FIRST.format(imported="from store import keep", call="keep")
    assert [row[2] for row in found("app.py", app=app, store="import app\n" + STORE)] == ["CL101"]


def test_a_broken_helper_module_is_no_end(found):
    """Its calls are unknown work then."""
    app = ACKS_FIRST.format(imported="from store import keep", call="keep")
    assert [row[2] for row in found("app.py", app=app, store="def keep(:\n")] == ["CL101"]


def test_nothing_is_imported_or_run(found, project):
    marker = project.root / "ran"
    touched = f"open({str(marker)!r}, 'w')\n"
    app = touched + ACKS_FIRST.format(imported="from store import keep", call="keep")
    found("app.py", app=app, store=touched + STORE)
    assert not marker.exists()


# The handlers of these files name no library at all: their wrapper does.
BUS = """\
import pika


class Bus:
    def subscribe(self, queue, handler):
        channel = pika.BlockingConnection().channel()
        channel.basic_consume(queue, handler)
"""
KEEPING = """\
import pika


class Consumer:
    def __init__(self, handler):
        self.handler = handler
        channel = pika.BlockingConnection().channel()
        channel.basic_consume("orders", self.on_delivery)

    def on_delivery(self, channel, method, properties, body):
        self.handler(channel, method, body)
"""
ON_ORDER = """\
import pathlib
import uuid
{imported}


def on_order(channel, method, {rest}):
    pathlib.Path("/srv", str(uuid.uuid4())).write_bytes(body)


{registered}
"""


@pytest.mark.parametrize(
    ("imported", "registered", "rest", "others"),
    [
        (
            "from bus import Bus",
            "Bus().subscribe('orders', on_order)",
            "properties, body",
            {"bus": BUS},
        ),
        (
            "from mq import Bus",
            "Bus().subscribe('orders', on_order)",
            "properties, body",
            {"mq__bus": BUS, "mq____init/": "from .bus import Bus\n"},
        ),
        (
            "from made import get_bus",
            "get_bus().subscribe('orders', on_order)",
            "properties, body",
            {"bus": BUS, "made": "from bus import Bus\n\n\ndef get_bus() -> Bus:\n    ...\n"},
        ),
        ("from keeping import Consumer", "Consumer(on_order)", "body", {"keeping": KEEPING}),
        (
            "import functools\nfrom bus import Bus",
            "Bus().subscribe('orders', functools.partial(on_order))",
            "properties, body",
            {"bus": BUS.replace("handler):", "handler: 'Handler'):")},
        ),
    ],
)
def test_a_wrapper_registers_what_other_files_give_it(found, imported, registered, rest, others):
    app = ON_ORDER.format(imported=imported, registered=registered, rest=rest)
    assert [row[0::2] for row in found(".", app=app, **others)] == [("app.py", "CL201")]


def test_an_object_of_a_library_is_decorated_with_elsewhere(found):
    broker = "from faststream.rabbit import RabbitBroker\n\nbroker = RabbitBroker()\n"
    app = (
        "import pathlib\nimport uuid\nfrom broker import broker\n\n\n"
        "@broker.subscriber('orders')\n"
        "async def on_order(body):\n"
        "    pathlib.Path('/srv', str(uuid.uuid4())).write_text(str(body))\n"
    )
    assert [row[0::2] for row in found(".", app=app, broker=broker)] == [("app.py", "CL201")]


def test_one_wrapper_serves_many_handlers(found):
    app = (
        ON_ORDER.format(imported="from keeping import Consumer", registered="", rest="body")
        + "def on_return(channel, method, body):\n    print(body)\n\n\n"
        "Consumer(on_return)\nConsumer(on_order)\n"
    )
    assert [row[0::2] for row in found(".", app=app, keeping=KEEPING)] == [("app.py", "CL201")]


def test_tests_that_use_a_wrapper_hold_no_handlers(found):
    app = ON_ORDER.format(
        imported="from bus import Bus",
        registered="Bus().subscribe('orders', on_order)",
        rest="properties, body",
    )
    assert found(".", test_app=app, bus=BUS) == []


CALLED_FROM_DEEP = """\
import stomp

from line import Line


class Reports(stomp.ConnectionListener):
    def __init__(self, connection: stomp.Connection):
        self.connection = connection
        self.line = Line("lab")

    def on_message(self, frame):
        self.first(frame.body)
        self.connection.ack(frame.headers["ack"])

    def first(self, report):
        self.second(report)

    def second(self, report):
        self.third(report)

    def third(self, report):
        self.fourth(report)

    def fourth(self, report):
        self.fifth(report)

    def fifth(self, report):
        self.line.transmit(report)


connection = stomp.Connection()
connection.set_listener("", Reports(connection))
connection.subscribe("/queue/reports", id=1, ack="client-individual")
"""
LINE = """\
from hl7.client import MLLPClient


class Line:
    def __init__(self, host):
        self.host = host
        {made}

    def dial(self):
        return MLLPClient(self.host, 2575)

    def open(self):
        return self.dial()

    @property
    def current(self):
        return self.client

    def transmit(self, report):
        {sent}
"""


@pytest.mark.parametrize(
    ("made", "sent"),
    [
        ("self.client = self.dial()", "self.client.send_message(report)"),
        ("self.client = self.open()", "self.client.send_message(report)"),
        ("self.client: MLLPClient = self.open()", "self.current.send_message(report)"),
    ],
)
def test_what_an_attribute_holds_does_not_depend_on_who_asks_from_how_deep(found, made, sent):
    line = LINE.format(made=made, sent=sent)
    assert found("app.py", app=CALLED_FROM_DEEP, line=line) == [("line.py", 20, "CL401")]


def test_a_client_deep_below_that_is_only_closed(found):
    line = LINE.format(made="self.client = self.dial()", sent="self.client.close()")
    assert found("app.py", app=CALLED_FROM_DEEP, line=line) == []


PORTS = """\
from abc import ABC, abstractmethod
from typing import Protocol


class Mailer(ABC):
    @abstractmethod
    def tell(self, address): ...


class Post(Protocol):
    async def tell(self, address):
        '''Write to somebody.'''
        ...


class Base:
    def tell(self, address):
        raise NotImplementedError
"""
BY_MAIL = """\
import smtplib

from ports import {port}


class {name}({port}):
    {prefix}def tell(self, address):
        smtplib.SMTP("relay").sendmail("shop", address, "Thank you")
"""
TELLS = """\
import dramatiq

from ports import {port}


class Thanks:
    def __init__(self, teller: {port}):
        self.teller = teller

    def say(self, address):
        self.teller.tell(address)


@dramatiq.actor
def thank(address):
    Thanks(container.resolve()).say(address)
"""


@pytest.mark.parametrize("port", ["Mailer", "Post", "Base"])
def test_an_interface_with_one_implementation(found, port):
    by_mail = BY_MAIL.format(port=port, name="ByMail", prefix="async " * (port == "Post"))
    files = {"app": TELLS.format(port=port), "ports": PORTS, "adapters__by_mail": by_mail}
    assert found("app.py", **files) == [("adapters/by_mail.py", 8, "CL401")]


@pytest.mark.parametrize("other", ["FakeMailer", "InMemoryMailer", "NullMailer", "MailerStub"])
def test_what_stands_in_for_the_real_one_does_not_count(found, other):
    by_mail = BY_MAIL.format(port="Mailer", name="ByMail", prefix="")
    stands_in = f"from ports import Mailer\nclass {other}(Mailer):\n    def tell(self, a): a + 1\n"
    files = {"app": TELLS.format(port="Mailer"), "ports": PORTS, "by_mail": by_mail}
    assert found("app.py", **files, other=stands_in) == [("by_mail.py", 8, "CL401")]


def test_an_interface_with_two_implementations_is_left_open(found):
    by_mail = BY_MAIL.format(port="Mailer", name="ByMail", prefix="")
    by_letter = "from ports import Mailer\nclass ByLetter(Mailer):\n    def tell(self, a): a + 1\n"
    files = {"app": TELLS.format(port="Mailer"), "ports": PORTS, "by_mail": by_mail}
    assert found("app.py", **files, by_letter=by_letter) == []


def test_a_class_of_the_same_name_elsewhere_implements_something_else(found):
    by_mail = BY_MAIL.format(port="Mailer", name="ByMail", prefix="").replace("ports", "shop")
    shop = "class Mailer:\n    def tell(self, a): ...\n"
    files = {"app": TELLS.format(port="Mailer"), "ports": PORTS, "by_mail": by_mail}
    assert found("app.py", **files, shop=shop) == []

"""What the project says elsewhere about the deliveries of a handler: queues, claims, limits."""

import pytest

CONSUMER = """\
import pathlib

import pika
{imported}

channel = pika.BlockingConnection().channel()
{declared}


def on_order(channel, method, properties, body):
    if not body:
        channel.basic_reject(method.delivery_tag, requeue=False)
        return
    pathlib.Path("/srv/orders", properties.message_id).write_bytes(body)
    channel.basic_ack(method.delivery_tag)


channel.basic_consume("orders", on_order)
"""
PLAIN = 'channel.queue_declare("orders", durable=True)'
ROUTED = 'channel.queue_declare("orders", arguments={"x-dead-letter-exchange": "dead"})'


@pytest.fixture
def found(project, check):
    """Write the files of a project, check one of them for one rule, and return the codes."""

    def found(code: str, checked: str, **files: str):
        for name, content in files.items():
            project.write(f"{name}.py", content)
        ran = check("--select", code, checked)
        assert ran.errors == []
        return [row[2] for row in ran.found]

    return found


@pytest.mark.parametrize(
    ("declared", "codes"),
    [
        (PLAIN, ["CL106"]),
        (ROUTED, []),
        ("", []),
        (PLAIN.replace("orders", "others"), []),
        (f"{PLAIN}\n{ROUTED}", []),
        (f"{PLAIN}\n{PLAIN}", ["CL106"]),
        ('channel.queue_declare("orders", passive=True)', []),
        ('channel.queue_declare("orders", exclusive=True)', []),
        ('channel.queue_declare("orders", arguments=settings())', []),
        ('channel.queue_declare("orders", **settings())', []),
        ('channel.queue_declare("orders", arguments={"x-max-length": 9})', ["CL106"]),
    ],
)
def test_a_reject_is_joined_with_the_declaration_of_its_queue(found, declared, codes):
    app = CONSUMER.format(imported="from conf import settings", declared=declared)
    assert found("CL106", "app.py", app=app) == codes


@pytest.mark.parametrize(("arguments", "codes"), [("None", ["CL106"]), ("DEAD", [])])
def test_a_declaration_in_a_helper_of_another_module(found, arguments, codes):
    topology = (
        "import pika\n\n"
        'DEAD = {"x-dead-letter-exchange": "dead"}\n\n\n'
        "def declare(channel, name):\n"
        f"    channel.queue_declare(name, durable=True, arguments={arguments})\n"
    )
    imported = "from topology import declare"
    app = CONSUMER.format(imported=imported, declared='declare(channel, "orders")')
    assert found("CL106", "app.py", app=app, topology=topology) == codes


STREAM = """\
import pathlib

import redis

r = redis.Redis()


def main(consumer):
    while True:
        for _, batch in r.xreadgroup("orders", consumer, {"orders": ">"}, block=5000):
            for entry, fields in batch:
                pathlib.Path("/srv/orders", entry).write_text(fields["text"])
                r.xack("orders", "orders", entry)
"""


def test_a_claim_anywhere_in_the_project_counts_and_is_seen_when_it_comes(project, found):
    assert found("CL112", "app.py", app=STREAM) == ["CL112"]
    project.write("other/janitor.py", "def clean(r):\n    r.xautoclaim('orders', 'g', 'me', 1)\n")
    assert found("CL112", "app.py") == []


@pytest.mark.parametrize(
    ("lease", "limit", "codes"),
    [
        ("300", "3600", ["CL111"]),
        ("5 * 60", "60 * 60", ["CL111"]),
        ("3600", "3600", []),
        ("7200", "3600", []),
        ("LEASE", "3600", []),
        ("300", "None", []),
    ],
)
def test_a_lease_is_compared_with_the_limit(found, lease, limit, codes):
    app = (
        "import subprocess\n\nfrom celery import Celery\nfrom conf import LEASE\n\n"
        'app = Celery("films")\n'
        "app.conf.task_acks_late = True\n"
        f'app.conf.broker_transport_options = {{"visibility_timeout": {lease}}}\n\n\n'
        f"@app.task(time_limit={limit})\n"
        "def render(film):\n"
        '    subprocess.run(["render", film], check=True)\n'
    )
    assert found("CL111", "app.py", app=app) == codes


TWICE = """\
import pathlib

from azure.storage.queue import QueueClient


def turn(queue: QueueClient):
    scans = list(queue.receive_messages(max_messages=20))
    for scan in scans:
        {first}
    {between}
    for scan in scans:
        pathlib.Path("/srv/scans", scan.id).write_text(scan.content)
"""


@pytest.mark.parametrize(
    ("first", "between", "codes"),
    [
        ("queue.delete_message(scan)", "", ["CL101"]),
        ("queue.delete_message(scan)", "scans = list(queue.receive_messages())", []),
        ("queue.delete_message(scan) if scan.content == '' else None", "", []),
        ("print(scan)", "", []),
    ],
)
def test_a_list_of_deliveries_that_is_gone_through_twice(found, first, between, codes):
    assert found("CL101", "turn.py", turn=TWICE.format(first=first, between=between)) == codes

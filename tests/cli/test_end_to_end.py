"""`contractlint check` on real code, with the real engine."""

import pytest

HANDLER = """\
import pika
from shop import store


def on_order(channel, method, properties, body):
    {first}
    {second}


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)
"""

ACK = "channel.basic_ack(method.delivery_tag)"
SAVE = "store.save(body)"

EARLY = HANDLER.format(first=ACK, second=SAVE)
LATE = HANDLER.format(first=SAVE, second=ACK)


def test_early_acknowledgement_is_found(project, check):
    project.write("early.py", EARLY)
    project.write("late.py", LATE)
    ran = check()
    assert ran.exit_code == 1
    assert ran.found == [("early.py", 6, "CL101")]
    assert ran.document["summary"] == {"files": 2, "handlers": 2, "findings": 1, "errors": 0}


def test_the_scenario_leads_from_the_delivery_to_the_loss(project, check):
    project.write("early.py", EARLY)
    [finding] = check().document["findings"]
    events = [step["event"] for step in finding["scenario"]]
    assert events[0] == "receive"
    assert "ack" in events
    assert finding["handler"] == "on_order"


def test_text_shows_source_and_scenario(project, run):
    project.write("early.py", EARLY)
    out = run("check").out
    assert "early.py:6:5: CL101 " in out
    assert f"  6 |     {ACK}\n    |     {'^' * len(ACK)}\n" in out
    assert "    1. " in out
    assert "contractlint explain CL101" in out


@pytest.mark.parametrize(
    "place", ["def on_order", "channel.basic_consume", "    channel.basic_ack"]
)
def test_declared_at_most_once(project, check, place):
    """Above the handler, its registration or the statement in question."""
    comment = "# contractlint: at-most-once -- samples only"
    project.write("early.py", EARLY.replace(place, f"{comment}\n{place}", 1))
    assert check().found == []


def test_declared_somewhere_else(project, check):
    project.write("early.py", f"# contractlint: at-most-once -- too far away\n{EARLY}")
    assert check().found == [("early.py", 7, "CL101")]


def test_suppressed(project, check):
    project.write("early.py", EARLY.replace(ACK, f"{ACK}  # contractlint: ignore -- known"))
    assert check().found == []


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import pika\nx = " + "(" * 3000 + ")" * 3000, 2),
        ("import pika\nx = " + "+".join(["1"] * 20_000), 2),
        ("import pika\nx = " + "not " * 20_000 + "x", 2),
        ("import pika\nx =\n", 2),
        ("import pika\n  x = 1\n", 2),
    ],
)
def test_broken_file_beside_a_good_one(project, check, source, line):
    project.write("broken.py", source)
    project.write("early.py", EARLY)
    ran = check()
    assert ran.exit_code == 2
    assert ran.found == [("early.py", 6, "CL101")]
    [(path, where, _)] = ran.errors
    assert (path, where) == ("broken.py", line)


def test_thousands_of_branches(project, check):
    branches = "".join(f"    elif body == {n}:\n        pass\n" for n in range(3000))
    source = EARLY.replace(f"    {ACK}\n", f"    {ACK}\n    if body:\n        pass\n{branches}")
    project.write("early.py", source)
    ran = check()
    assert ran.errors == []
    assert ran.found == [("early.py", 6, "CL101")]


def test_encodings(project, check):
    project.write("latin.py", b"# coding: latin-1\n# \xe9\n" + EARLY.encode())
    project.write("marked.py", b"\xef\xbb\xbf" + EARLY.encode())
    project.write("windows.py", EARLY.replace("\n", "\r\n").encode())
    ran = check()
    assert ran.errors == []
    assert ran.found == [
        ("latin.py", 8, "CL101"),
        ("marked.py", 6, "CL101"),
        ("windows.py", 6, "CL101"),
    ]


def test_a_schedule_in_a_new_file_is_noticed(project, run):
    project.write("app.py", "from celery import Celery\napp = Celery()\n")
    project.write(
        "tasks.py",
        "import requests\nfrom app import app\n\n@app.task\n"
        "def charge(order):\n    requests.post('https://pay.example.com', json=order)\n",
    )
    project.write(
        "views.py", "from tasks import charge\n\ndef buy(order):\n    charge.delay(order)\n"
    )
    command = ("check", "tasks.py", "--select", "CL103")
    assert run(*command).exit_code == 1
    project.write("clock.py", "app.conf.beat_schedule = {'x': {'task': 'tasks.charge'}}\n")
    assert run(*command).exit_code == 0


TASK = (
    "import requests\n{import_}\n\n@app.task\n"
    "def charge(order):\n    requests.post('https://pay.example.com', json=order)\n"
)
APP = "from celery import Celery\napp = Celery()\n"


@pytest.mark.parametrize(
    ("files", "task", "import_"),
    [
        ({"app.py": APP}, "tasks.py", "from app import app"),
        ({"shop/app.py": APP}, "shop/tasks.py", "from .app import app"),
        ({"shop/app.py": APP}, "shop/work/tasks.py", "from ..app import app"),
        ({"src/shop/app.py": APP}, "src/shop/tasks.py", "from shop.app import app"),
        (
            {"shop/__init__.py": "from .core.app import app\n", "shop/core/app.py": APP},
            "billing/tasks.py",
            "from shop import app",
        ),
    ],
)
def test_a_file_checked_alone_finds_the_library_behind_its_imports(
    project, check, files, task, import_
):
    for path, text in files.items():
        project.write(path, text)
    project.write(task, TASK.format(import_=import_))
    assert check(task, "--select", "CL103").found == [(task, 4, "CL103")]


def test_what_is_outside_the_run_is_not_told(project, check):
    project.write("app.py", APP + EARLY)
    project.write("broken.py", "import pika\n$\n")
    task = TASK.format(import_="import broken\nfrom app import app")
    project.write("tasks.py", task.replace("@app.task", "@app.task(acks_late=True)"))
    ran = check("tasks.py")
    assert (ran.found, ran.errors) == ([("tasks.py", 7, "CL401")], [])
    assert [code for _, _, code in check("app.py").found] == ["CL101"]


def test_an_import_of_something_else_makes_no_handler(project, check):
    project.write("app.py", "class App:\n    def task(self, f):\n        return f\n\napp = App()\n")
    project.write("tasks.py", TASK.format(import_="from app import app"))
    assert check("tasks.py", "--select", "ALL", "--preview").found == []

"""Who starts a task: told from the text of the whole project."""

import pytest

from contractlint.code.starting import starts_in
from contractlint.vocabulary.model import StartSpec

CELERY = StartSpec(
    ("beat_schedule", "add_periodic_task"), ("delay", "apply_async", "s"), ("send_task",)
)
TASKS = """
@app.task(name="sweep-old")
@traced
def sweep():
    for order in late_orders():
        remind.delay(order)
    repair()


@app.task
def remind(order):
    ...


def repair():
    app.send_task("mend", args=[1])


@app.task(name="mend")
def mend(number):
    ...


@app.task
def export(order):
    ...


@app.task
def forgotten():
    ...


def view(request):
    export.delay(request.id)
"""


@pytest.fixture
def starts(tmp_path):
    def search(**files):
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        starts_in.cache_clear()
        return starts_in(tmp_path, CELERY)

    return search


@pytest.mark.parametrize(
    ("function", "registered", "expected"),
    [
        ("sweep", "sweep-old", "clock"),
        ("remind", "", "again"),
        ("mend", "mend", "again"),
        ("export", "", "sent"),
        ("forgotten", "", "nobody"),
    ],
)
def test_a_schedule_in_the_settings(starts, function, registered, expected):
    found = starts(tasks=TASKS, config='beat_schedule = {"x": {"task": "sweep-old"}}')
    assert found.of(function, registered, takes_something=True) == expected


def test_a_schedule_made_by_calls(starts):
    setup = "def setup(sender, **_):\n    sender.add_periodic_task(60.0, sweep.s(), name='x')\n"
    found = starts(tasks=TASKS, beat=setup)
    assert found.of("sweep", "sweep-old", takes_something=False) == "clock"
    assert found.of("export", "", takes_something=True) == "sent"


def test_without_a_schedule_nothing_is_sent_again(starts):
    found = starts(tasks=TASKS)
    assert found.of("remind", "", takes_something=True) == "sent"


def test_tests_are_no_senders(starts):
    found = starts(tasks=TASKS, tests__probe="def test_it():\n    forgotten.delay()\n")
    assert found.of("forgotten", "", takes_something=False) == "nobody"


def test_where_nobody_sends_the_senders_are_elsewhere(starts):
    found = starts(tasks="@app.task\ndef export(order):\n    ...\n")
    assert found.of("export", "", takes_something=True) == "sent"
    assert found.of("tick", "", takes_something=False) == "nobody"

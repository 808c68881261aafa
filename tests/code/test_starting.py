"""Who starts a task: told from the text of the whole project."""

import pytest

from contractlint.code.starting import starts_in
from contractlint.vocabulary.model import StartSpec

CELERY = StartSpec(
    ("beat_schedule", "add_periodic_task"),
    ("delay", "apply_async", "s"),
    ("send_task",),
    ("shared_task",),
    ("Celery",),
    ("task", "shared_task"),
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


LOOKED_AFTER = """
@app.task
def refresh_pending():
    for one in pending():
        refresh(one)


@app.task
def watch(number):
    if not refresh(load(number)):
        raise Late(number)


@app.task
def watch_closely(number):
    look(number)


@app.task
def watch_and_tell(number):
    refresh(load(number))
    requests.post(URL, json=number)


@app.task
def watch_by_method(number):
    Watcher(number).refresh()


def look(number):
    log.info("looking")
    return refresh(load(number))


def refresh(one):
    one.store()


def view(request):
    for task in (watch, watch_closely, watch_and_tell, watch_by_method):
        task.delay(request.id)
    watch.delay(1), watch_closely.delay(1), watch_and_tell.delay(1), watch_by_method.delay(1)
"""
BEAT = 'beat_schedule = {"x": {"task": "proj.refresh_pending"}}'


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("watch", "again"),
        ("watch_closely", "again"),
        ("watch_and_tell", "sent"),
        ("watch_by_method", "sent"),
    ],
)
def test_what_a_clock_does_as_well(starts, function, expected):
    found = starts(tasks=LOOKED_AFTER, config=BEAT)
    assert found.of(function, "", takes_something=True) == expected


def test_what_a_task_of_the_clock_sends_is_its_own_work(starts):
    """The clock sends `remind`; another task that uses the same helper has another message."""
    text = """
@app.task
def sweep():
    remind.delay(1)


@app.task
def remind(order):
    post(order)


@app.task
def welcome(user):
    post(user)


def post(what):
    requests.post(URL, json=what)


def view(request):
    welcome.delay(request.user)
"""
    found = starts(tasks=text, config='beat_schedule = {"x": {"task": "proj.sweep"}}')
    assert found.of("remind", "", takes_something=True) == "again"
    assert found.of("welcome", "", takes_something=True) == "sent"


SHARED = (
    "@shared_task\ndef index(number):\n    ...\n\n\n@shared_task\ndef all():\n    each.delay(1)\n"
)


@pytest.mark.parametrize(
    ("application", "expected"),
    [
        ("", "sent"),
        ("app = Celery('proj')\n", "nobody"),
        ("app = TracedCelery('proj')\n", "nobody"),
    ],
)
def test_a_package_without_an_application_is_used_by_others(starts, application, expected):
    found = starts(tasks=SHARED, worker=application)
    assert found.of("index", "", takes_something=True, shared=True) == expected
    assert found.of("index", "", takes_something=True, shared=False) == "nobody"
    assert found.of("tick", "", takes_something=False, shared=True) == "nobody"


def test_a_package_may_be_called_build(starts, tmp_path):
    text = "def view(request):\n    forgotten.delay(request.id)\n"
    assert starts(build__views=text).of("forgotten", "", takes_something=False) == "nobody"
    (tmp_path / "build" / "__init__.py").touch()
    assert starts(build__views=text).of("forgotten", "", takes_something=False) == "sent"


SCHEDULED = """\
import pathlib
from uuid import uuid4

from {package} import {broker}

broker = {broker}("queue")


@broker.task({given})
async def snapshot(kind="prices"):
    pathlib.Path("/srv/snapshots", kind, f"{{uuid4()}}.json").write_text("{{}}")
"""
LATE, EARLY = ("taskiq_aio_pika", "AioPikaBroker"), ("taskiq_redis", "ListQueueBroker")


@pytest.mark.parametrize(
    ("library", "given", "expected"),
    [
        (LATE, 'schedule=[{"cron": "*/5 * * * *"}]', []),
        (EARLY, 'task_name="snapshot", schedule=[{"cron": "0 * * * *", "args": ["rates"]}]', []),
        (LATE, "", [(11, "CL201")]),
        (EARLY, 'task_name="snapshot"', [(9, "CL103")]),  # taken off before it runs: runs once
    ],
)
def test_a_schedule_in_the_decorator(project, check, library, given, expected):
    """The next run is another job: it does again what was lost, and calls its result anew."""
    package, broker = library
    project.write("app.py", SCHEDULED.format(package=package, broker=broker, given=given))
    found = check("--no-cache", "--select", "CL103,CL201", "app.py").found
    assert [(line, code) for _, line, code in found] == expected

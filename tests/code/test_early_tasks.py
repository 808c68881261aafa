"""What is acknowledged before it runs has a second run only if it is retried."""

import pytest

from contractlint.engine import EngineSettings, check_source

SETTINGS = EngineSettings(frozenset({"CL201", "CL202", "CL401"}), {}, (), (), {}, ())
MAIL = 'smtplib.SMTP("relay").sendmail("club@example.org", [address], "Welcome")'
PAGE = 'pathlib.Path(f"/srv/welcomes/{uuid.uuid4()}.txt").write_text(address)'
HEAD = "import pathlib, smtplib, urllib.request, uuid\n"

CELERY = "from celery import shared_task\n\n@shared_task{0}\ndef welcome(self, address):\n    {1}\n"
HUEY = (
    "from huey import RedisHuey\nhuey = RedisHuey('a')\n\n"
    "@huey.task({0})\ndef welcome(address):\n    {1}\n"
)
KARTON = (
    "from karton.core import Karton\n\nclass Welcome(Karton):\n"
    "    def process(self, task):\n        address = task.payload['address']\n        {1}\n"
)
TASKIQ = (
    "from taskiq_redis import ListQueueBroker\nbroker = ListQueueBroker('redis://r')\n\n"
    "@broker.task({0})\nasync def welcome(address):\n    {1}\n"
)
LATER = f"{PAGE}; urllib.request.urlopen('https://index.example/')"
RETRY = "try:\n        {0}\n    except OSError as error:\n        raise self.retry(exc=error)"


def codes(source, tmp_path):
    result = check_source("welcome.py", (HEAD + source).encode(), SETTINGS, str(tmp_path))
    return [finding.code for finding in result.findings]


@pytest.mark.parametrize("source", [CELERY, HUEY, KARTON, TASKIQ])
@pytest.mark.parametrize("step", [MAIL, PAGE, LATER])
def test_a_task_that_is_never_retried_runs_once(source, step, tmp_path):
    assert codes(source.format("", step), tmp_path) == []


@pytest.mark.parametrize(
    ("source", "how"),
    [
        (CELERY, "(autoretry_for=(OSError,))"),
        (CELERY, "(autoretry_for=(Exception,), max_retries=2)"),
        (CELERY, "(acks_late=True)"),
        (HUEY, "retries=3"),
        (TASKIQ, "retry_on_error=True"),
    ],
)
@pytest.mark.parametrize(("step", "code"), [(MAIL, "CL401"), (LATER, "CL201")])
def test_a_task_that_is_tried_again_does_it_twice(source, how, step, code, tmp_path):
    assert codes(source.format(how, step), tmp_path) == [code]


def test_a_retry_by_hand_is_one(tmp_path):
    source = CELERY.format("(bind=True)", RETRY.format(MAIL))
    assert codes(source, tmp_path) == ["CL401"]


def test_what_is_written_last_is_not_written_again(tmp_path):
    assert codes(CELERY.format("(autoretry_for=(OSError,))", PAGE), tmp_path) == []


def test_a_failure_that_is_only_logged_is_none(tmp_path):
    body = f"try:\n        {MAIL}\n    except OSError as error:\n        print(error)"
    assert codes(CELERY.format("", body), tmp_path) == []

"""Which tests of an answer tell that the call has failed, and which way out is the failed one."""

import pytest

from contractlint.engine import EngineSettings, check_source

HANDLER = """\
import logging

import pika
from google.cloud import bigquery

table = bigquery.Client()


def on_order(channel, method, properties, body):
    answer = errors = failed = success = table.insert_rows_json("orders", [body])
    if {test}:
        {told}
    else:
        {otherwise}
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)
"""
LOG = 'logging.error("not stored")'
FINE = "pass"


SETTINGS = EngineSettings(frozenset({"CL104"}), {}, (), (), {}, ())


@pytest.fixture
def lines(tmp_path):
    """Check a handler for CL104 and return the lines that are found."""

    def lines(test: str, told: str, otherwise: str) -> list[int]:
        text = HANDLER.format(test=test, told=told, otherwise=otherwise)
        result = check_source(str(tmp_path / "app.py"), text.encode(), SETTINGS, str(tmp_path))
        assert result.handlers
        assert not result.problems
        return [finding.line for finding in result.findings]

    return lines


@pytest.mark.parametrize(
    "test",
    [
        "errors",
        "len(errors) > 0",
        "len(errors) >= 1",
        "len(errors) != 0",
        "errors != []",
        "errors is not None",
        "not len(errors) == 0",
        "not errors == []",
        "not success",
        "success is False",
        "success is not True",
        "success is None",
        "answer.errors",
        'answer["failed"]',
        'answer.get("errors")',
        "answer.status_code != 200",
        "answer.status_code >= 400",
        "answer.status_code > 299",
        "answer.status_code not in (200, 201)",
        "answer.status != HTTPStatus.OK",
        "not answer.ok",
    ],
)
def test_one_way_of_a_test_is_the_failed_one(lines, test):
    assert lines(test, LOG, FINE) == [12]
    assert lines(test, FINE, LOG) == []


@pytest.mark.parametrize(
    "test",
    ["not errors", "len(errors) == 0", "len(errors) < 1", "success", "answer.status_code < 400"],
)
def test_or_the_other_one_is(lines, test):
    assert lines(test, FINE, LOG) == [14]
    assert lines(test, LOG, FINE) == []


@pytest.mark.parametrize(
    "test",
    [
        "answer",
        "len(errors) > 5",
        "errors[0] == 7",
        "answer.status_code == 404",
        "answer.status_code in (404, 410)",
        "answer.orders",
        "errors and failed",
        "logging.errors",
    ],
)
def test_other_tests_tell_nothing(lines, test):
    assert lines(test, LOG, FINE) == []
    assert lines(test, FINE, LOG) == []


@pytest.mark.parametrize(
    "told",
    [
        "raise RuntimeError(errors)",
        "logging.error(errors); raise RuntimeError()",
        "logging.error(errors); keep(errors)",
        "logging.error(errors); self.errors = errors",
        "text = str(errors); logging.error(text); send(text)",
        "pass",
    ],
)
def test_only_a_log_line_swallows(lines, told):
    assert lines("errors", told, FINE) == []

"""The text output shows the place, the source, what happens, and what to do."""

import pytest

from contractlint.engine import HandlerRecord
from contractlint.findings import Finding, Problem, Reported, Step
from contractlint.project.book import SourceBook
from contractlint.project.run import Report
from contractlint.report.formats import render
from contractlint.report.writer import View

SOURCE = """\
def on_order(channel, method, properties, body):
\tchannel.basic_ack(
\t\tmethod.delivery_tag,
\t)
\tsave(body)
"""


def report(**changes):
    values = {
        "code": "CL101",
        "rule": "ack-before-persist",
        "severity": "error",
        "confidence": "high",
        "path": "app.py",
        "line": 3,
        "column": 3,
        "end_line": 3,
        "end_column": 22,
        "handler": "on_order",
        "message": "acknowledged too early",
        "fix": "Acknowledge last. " * 8,
        "scenario": (
            Step("app.py", 1, "receive", "a delivery arrives"),
            Step("lib.py", 9, "ack", "it is acknowledged"),
            Step("app.py", 0, "crash", "the process dies"),
        ),
    }
    book = SourceBook()
    book.keep("app.py", SOURCE.encode())
    finding = Finding(**{**values, **changes})
    return Report((Reported(finding, "f" * 32),), files=3, book=book)


def test_whole_finding():
    expected = """\
app.py:3:3: CL101 acknowledged too early
  3 | \t\tmethod.delivery_tag,
    | \t\t^^^^^^^^^^^^^^^^^^^
  what happens:
    1. a delivery arrives  (line 1)
    2. it is acknowledged  (lib.py:9)
    3. the process dies
  fix: Acknowledge last. Acknowledge last. Acknowledge last. Acknowledge last. Acknowledge last.
       Acknowledge last. Acknowledge last. Acknowledge last.
  more: contractlint explain CL101

1 finding in 3 files, 0 handlers
"""
    assert render(report(), "text", View()) == expected


def test_statement_over_several_lines_is_underlined_on_its_first():
    text = render(report(line=2, column=2, end_line=4, end_column=3), "text", View())
    assert "  2 | \tchannel.basic_ack(\n    | \t^^^^^^^^^^^^^^^^^^\n" in text


def test_place_outside_the_file_has_no_excerpt():
    assert "|" not in render(report(line=99, end_line=99), "text", View())


def test_quiet_leaves_out_the_summary():
    assert render(report(), "text", View(quiet=True)).endswith("explain CL101\n")
    assert render(Report(files=3), "text", View(quiet=True)) == ""


def test_problems_come_with_their_place():
    problems = (Problem("a.py", 3, "holds a NUL byte"), Problem("b.py", 0, "cannot be read"))
    assert render(Report(problems=problems, files=2), "text", View()) == (
        "a.py:3: error: holds a NUL byte\n"
        "b.py: error: cannot be read\n"
        "\n"
        "0 findings in 2 files, 0 handlers, 2 errors\n"
    )


def test_functions_that_handlers_call_are_listed_and_not_counted():
    handlers = (
        HandlerRecord("a.py", 3, 9, "on_order", "pika"),
        HandlerRecord("b.py", 12, 14, "store", "pika", via="on_order"),
    )
    assert render(Report(handlers=handlers, files=2), "text", View(handlers=True)) == (
        "a.py:3   on_order  pika\n"
        "b.py:12  store     called by on_order\n"
        "\n"
        "0 findings in 2 files, 1 handler\n"
    )


def test_statistics_instead_of_findings():
    text = render(report(), "text", View(statistics=True))
    assert text == "    1  CL101  ack-before-persist\n\n1 finding in 3 files, 0 handlers\n"


@pytest.mark.parametrize("colour", [True, False])
def test_colour_only_when_asked_for(colour):
    assert ("\x1b[" in render(report(), "text", View(colour=colour))) is colour


def test_other_handlers_that_come_to_the_fault_are_named_before_what_happens():
    also = Step("other.py", 7, "also", "`send(…)` is called from `on_return`")
    told = report(scenario=(Step("app.py", 1, "receive", "a delivery"), also))
    lines = [line.strip() for line in render(told, "text", View()).splitlines()]
    named = lines.index("also: `send(…)` is called from `on_return`  (other.py:7)")
    assert lines[named + 1 :][:2] == ["what happens:", "1. a delivery  (line 1)"]

"""Findings of all kinds, made by hand: what a format does with them is seen at a glance."""

from __future__ import annotations

from io import StringIO

import pytest

from contractlint.findings import Finding, Problem, Reported, Step, Summary
from contractlint.report.formats import open_writer
from contractlint.report.writer import View

SCENARIO = (
    Step("app/a.py", 3, "receive", "the broker delivers a message"),
    Step("app/b c.py", 9, "ack", "it is acknowledged"),
    Step("", 0, "crash", "✗ the process dies here"),
)


def finding(**changes):
    values = {
        "code": "CL101",
        "rule": "ack-before-persist",
        "severity": "error",
        "confidence": "high",
        "path": "app/b c.py",
        "line": 9,
        "column": 5,
        "end_line": 9,
        "end_column": 20,
        "handler": "on_order",
        "message": "acknowledged <too> early",
        "fix": "Acknowledge last.",
        "scenario": SCENARIO,
    }
    return Finding(**{**values, **changes})


IN_A_MESSAGE = {
    "code": "CM101",
    "rule": "id-reused-with-different-content",
    "path": "out/a.jsonl",
    "handler": "",
    "message": "the id \x00 stands for other content \ud800",
    "pointer": "/id",
    "scenario": (Step("out/a.jsonl", 2, "earlier", "the message it clashes with"),),
}
PROBLEM = Problem("app/old.py", 0, "holds a NUL byte")


@pytest.fixture
def written():
    """Write a report in a format; the fingerprints are aaa…, bbb… and so on."""

    def written(output_format, *findings, problems=()):
        out = StringIO()
        writer = open_writer(output_format, out, View())
        for letter, one in zip("abcdef", findings, strict=False):
            writer.add(Reported(one, letter * 32))
        for problem in problems:
            writer.add_problem(problem)
        writer.close(Summary({"file": 3}, len(findings), len(problems)))
        return out.getvalue().encode("utf-8", "backslashreplace").decode()

    return written

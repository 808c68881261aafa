"""Workflow commands that GitHub turns into annotations on the changed lines."""

from __future__ import annotations

from contractlint.findings import Finding, Problem
from contractlint.project.run import Report
from contractlint.report.formats import View

_Properties = dict[str, str | int]

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, view: View) -> str:
    lines = [_problem(problem) for problem in report.problems]
    lines += [_finding(reported.finding) for reported in report.findings]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding) -> str:
    properties: _Properties = {
        "file": finding.path,
        "line": finding.line,
        "col": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
        "title": f"{finding.code} {finding.rule}",
    }
    text = f"{finding.message}\n{finding.fix}" if finding.fix else finding.message
    return _command(_LEVELS[finding.severity], properties, text)


def _problem(problem: Problem) -> str:
    properties: _Properties = {
        "file": problem.path,
        "line": max(problem.line, 1),
        "title": "contractlint",
    }
    return _command("error", properties, problem.message)


def _command(level: str, properties: _Properties, text: str) -> str:
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

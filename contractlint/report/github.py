"""Workflow commands that GitHub turns into annotations on the changed lines."""

from __future__ import annotations

from contractlint.findings import Problem, Reported, Summary
from contractlint.report.writer import Writer

_Properties = dict[str, str | int]

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


class FormatWriter(Writer):
    """One command a finding, one a problem."""

    def _finding(self, reported: Reported) -> None:
        finding = reported.finding
        properties: _Properties = {
            "file": finding.path,
            "line": finding.line,
            "col": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
            "title": f"{finding.code} {finding.rule}",
        }
        text = f"{finding.message}\n{finding.fix}" if finding.fix else finding.message
        self._command(_LEVELS[finding.severity], properties, text)

    def close(self, summary: Summary) -> None:
        for problem in self._problems:
            self._problem(problem)

    def _problem(self, problem: Problem) -> None:
        properties: _Properties = {
            "file": problem.path,
            "line": max(problem.line, 1),
            "title": "contractlint",
        }
        self._command("error", properties, problem.message)

    def _command(self, level: str, properties: _Properties, text: str) -> None:
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        self._out.write(f"::{level} {listed}::{_data(text)}\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

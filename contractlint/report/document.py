"""The report as JSON, as report.schema.json describes it."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

from contractlint import __version__
from contractlint.findings import Finding, Problem, Reported, Step, Summary
from contractlint.report.jsonlist import JsonWriter, line
from contractlint.report.writer import spool

if TYPE_CHECKING:
    from contractlint.messages.run import Decided


class FormatWriter(JsonWriter):
    """One document; outcomes have a list of their own."""

    _decided = 0

    @cached_property
    def _outcomes(self) -> IO[str]:
        """Where outcomes wait until all findings are written, however many there are."""
        return spool()

    def add_outcome(self, decided: Decided) -> None:
        self._outcomes.write(",\n" if self._decided else "\n")
        self._outcomes.write(line(decided._asdict()))
        self._decided += 1

    def _head(self) -> str:
        return f'{{\n"version": {line(__version__)},\n"findings": '

    def _entry(self, reported: Reported) -> dict[str, Any]:
        return _finding_object(reported.finding, reported.fingerprint)

    def _write_end(self, summary: Summary) -> None:
        self._member("errors", [_error(problem) for problem in self._problems])
        if self._decided:
            self._copy_outcomes()
        if self._view.handlers:
            self._member("handlers", [asdict(one) for one in self._background.handlers])
        if self._view.statistics:
            listed = [{"code": c, "rule": rule, "count": n} for c, rule, n in self._rules()]
            self._member("statistics", listed)
        self._member("summary", _summary(summary))
        self._out.write("\n}")

    def _member(self, name: str, value: object) -> None:
        self._out.write(f',\n"{name}": {line(value)}')

    def _copy_outcomes(self) -> None:
        self._out.write(',\n"outcomes": [')
        with self._outcomes as outcomes:
            outcomes.seek(0)
            shutil.copyfileobj(outcomes, self._out)
        self._out.write("\n]")


def _finding_object(finding: Finding, fingerprint: str) -> dict[str, Any]:
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "handler": finding.handler,
        "pointer": finding.pointer,
        "message": finding.message,
        "fix": finding.fix,
        "fingerprint": fingerprint,
        "scenario": [_step(step) for step in finding.scenario],
    }


def _step(step: Step) -> dict[str, Any]:
    return {"path": step.path, "line": step.line, "event": step.event, "text": step.text}


def _error(problem: Problem) -> dict[str, Any]:
    return {"path": problem.path, "line": problem.line, "message": problem.message}


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        **{f"{noun}s": number for noun, number in summary.looked_at.items()},
        "findings": summary.findings,
        "errors": summary.errors,
        **({"outcomes": dict(sorted(summary.outcomes.items()))} if summary.outcomes else {}),
    }

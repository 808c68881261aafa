"""Writing a run as it goes, so that memory does not grow with what is found."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable
from typing import IO, Protocol

from contractlint import __version__
from contractlint.findings import Finding, Problem, Step
from contractlint.messages.run import Event, Tally

_Where = dict[str, str | int]


class Printer(Protocol):
    """Shows the events of one run, in order, and then what they add up to."""

    def show(self, event: Event) -> None: ...

    def close(self, tally: Tally) -> None: ...


def make_printer(output_format: str, out: IO[str]) -> Printer:
    """Return the printer for one of FORMATS."""
    return _PRINTERS[output_format](out)


def _place(path: str, line: int, column: int = 0) -> str:
    return ":".join(str(part) for part in (path, line, column) if part)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class TextPrinter:
    """For people."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def show(self, event: Event) -> None:
        if isinstance(event, Finding):
            self._finding(event)
        elif isinstance(event, Problem):
            self._print(f"{_place(event.path, event.line)}: error: {event.message}")
        else:
            waits = f", waits for {event.awaited}" if event.awaited else ""
            replayed = ", replayed" if event.replayed else ""
            place = _place(event.path, event.line)
            self._print(f"{place}: {event.id}: {event.outcome}{waits}{replayed}")

    def _finding(self, finding: Finding) -> None:
        place = _place(finding.path, finding.line, finding.column)
        self._print(f"{place}: {finding.code} {finding.message}")
        for step in finding.scenario:
            self._print(f"  see: {_place(step.path, step.line)}")
        self._print(f"  fix: {finding.fix}")

    def close(self, tally: Tally) -> None:
        for outcome, count in sorted(tally.outcomes.items()):
            self._print(f"{count:>10}  {outcome}")
        if tally.findings:
            found, checked = _count(tally.findings, "finding"), _count(tally.messages, tally.noun)
            self._print(f"{found} in {checked}")

    def _print(self, line: str) -> None:
        self._out.write(line + "\n")


class GithubPrinter:
    """Workflow commands that become annotations."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def show(self, event: Event) -> None:
        if isinstance(event, Finding):
            where: _Where = {"file": event.path, "line": event.line, "col": event.column}
            level = "error" if event.severity == "error" else "warning"
            self._command(level, where, f"{event.code} {event.message}\n{event.fix}")
        elif isinstance(event, Problem):
            self._command("error", {"file": event.path, "line": event.line or 1}, event.message)

    def close(self, tally: Tally) -> None:
        """Annotations need no sum."""

    def _command(self, level: str, where: _Where, text: str) -> None:
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in where.items())
        self._out.write(f"::{level} {listed}::{_data(text)}\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class JsonPrinter:
    """One JSON document; what belongs further down waits in a temporary file."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._problems: list[Problem] = []
        self._outcomes = tempfile.TemporaryFile(  # noqa: SIM115
            "w+", encoding="utf-8", errors="backslashreplace"
        )
        self._findings = 0
        self._decided = 0
        self._out.write(f'{{"version": {json.dumps(__version__)},\n"findings": [')

    def show(self, event: Event) -> None:
        if isinstance(event, Problem):
            self._problems.append(event)
        elif isinstance(event, Finding):
            self._write(self._out, self._findings, _finding_object(event))
            self._findings += 1
        else:
            self._write(self._outcomes, self._decided, event._asdict())
            self._decided += 1

    def close(self, tally: Tally) -> None:
        self._out.write(f'],\n"errors": {json.dumps(_problem_objects(self._problems))},\n')
        if self._decided:
            self._copy_outcomes()
        self._out.write(f'"summary": {json.dumps(_summary(tally))}}}\n')
        self._outcomes.close()

    def _copy_outcomes(self) -> None:
        self._outcomes.seek(0)
        self._out.write('"outcomes": [')
        self._out.writelines(self._outcomes)
        self._out.write("],\n")

    @staticmethod
    def _write(out: IO[str], already: int, value: dict[str, object]) -> None:
        out.write(",\n" if already else "\n")
        out.write(json.dumps(value, ensure_ascii=False))


def _finding_object(finding: Finding) -> dict[str, object]:
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
        "fingerprint": _fingerprint(finding),
        "scenario": [_step_object(step) for step in finding.scenario],
    }


def _step_object(step: Step) -> dict[str, object]:
    return {"path": step.path, "line": step.line, "event": step.event, "text": step.text}


def _fingerprint(finding: Finding) -> str:
    parts = (finding.code, finding.path, finding.pointer, finding.message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def _problem_objects(problems: Iterable[Problem]) -> list[dict[str, object]]:
    return [{"path": one.path, "line": one.line, "message": one.message} for one in problems]


def _summary(tally: Tally) -> dict[str, object]:
    summary: dict[str, object] = {
        "files": tally.files,
        "messages": tally.messages,
        "findings": tally.findings,
        "errors": tally.errors,
    }
    if tally.outcomes:
        summary["outcomes"] = dict(sorted(tally.outcomes.items()))
    return summary


_PRINTERS: dict[str, type[TextPrinter] | type[GithubPrinter] | type[JsonPrinter]] = {
    "text": TextPrinter,
    "json": JsonPrinter,
    "github": GithubPrinter,
}
FORMATS = tuple(_PRINTERS)

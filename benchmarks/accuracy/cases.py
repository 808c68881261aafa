"""Small cases made by hand: a folder of faults with their mending, a folder of false alarms.

A case is a folder `NAME/{bad.py,good.py,case.toml}`; false alarms are single files with an
`index.toml`. The README has both formats.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.accuracy.labels import LabelError
from benchmarks.accuracy.rules import answers_to, codes_of
from benchmarks.accuracy.runner import Finding

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Expected:
    """A finding a file must have: a rule at one of some lines."""

    rule: str
    lines: tuple[int, ...]

    def is_met_by(self, finding: Finding) -> bool:
        at_line = any(finding.line <= line <= finding.end_line for line in self.lines)
        return at_line and finding.code in answers_to(self.rule)


@dataclass(frozen=True)
class CaseFile:
    """One Python file: what must be found, and the rules of which findings are not judged."""

    path: str
    expected: tuple[Expected, ...] = ()
    not_judged: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CaseResult:
    """One file after a run."""

    file: CaseFile
    found: tuple[Expected, ...] = ()
    missed: tuple[Expected, ...] = ()
    false: tuple[Finding, ...] = field(default=())


def read_cases(folder: Path) -> list[CaseFile]:
    """Read a folder of cases: a bad and a good file each."""
    return [file for path in sorted(folder.glob("*/case.toml")) for file in _case(path)]


def read_false_alarms(folder: Path) -> list[CaseFile]:
    """Read a flat folder of files in which nothing may be found."""
    index = _toml(folder / "index.toml")
    return [
        CaseFile(case["file"], not_judged=frozenset(case.get("not_judged", [])))
        for case in index.get("case", [])
    ]


def compare(
    files: Iterable[CaseFile], findings: Sequence[Finding], codes: Sequence[str]
) -> list[CaseResult]:
    """Compare findings with what the files must have, for these codes."""
    counted = [finding for finding in findings if finding.code in codes]
    return [
        _compare(file, [finding for finding in counted if finding.path == file.path], codes)
        for file in files
    ]


def _compare(file: CaseFile, findings: Sequence[Finding], codes: Sequence[str]) -> CaseResult:
    expected = [one for one in file.expected if set(codes_of(one.rule)) & set(codes)]
    found = [one for one in expected if any(map(one.is_met_by, findings))]
    silent = {code for rule in file.not_judged for code in codes_of(rule)}
    return CaseResult(
        file=file,
        found=tuple(found),
        missed=tuple(one for one in expected if one not in found),
        false=tuple(
            finding
            for finding in findings
            if finding.code not in silent and not any(one.is_met_by(finding) for one in expected)
        ),
    )


def _case(path: Path) -> Iterable[CaseFile]:
    table = _toml(path)
    not_judged = frozenset(table.get("not_judged", []))
    for file, keys in (("bad.py", ("expect", "new")), ("good.py", ("expect_good",))):
        expected = tuple(_expected(row) for key in keys for row in table.get(key, []))
        yield CaseFile(f"{path.parent.name}/{file}", expected, not_judged)


def _expected(row: Mapping[str, Any]) -> Expected:
    return Expected(row["rule"], (row["line"], *row.get("alt_lines", [])))


def _toml(path: Path) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LabelError(f"{path}: {error}") from error
    return table

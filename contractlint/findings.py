"""What a run tells: findings with their proof, and problems that kept the tool from its job.

Imports nothing of contractlint, so that every layer can speak of findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

# Steps that lead nowhere: they show what a finding speaks of beside its own place.
_REFERENCES = frozenset({"earlier", "schema"})


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One step of a crash scenario. `line` counts from 1; 0 means the step has no place in code."""

    path: str
    line: int
    event: str
    text: str

    @property
    def is_reference(self) -> bool:
        """Whether this is no step of what happens, but another place to look at."""
        return self.event in _REFERENCES


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, at the statement to change, with the shortest trace that shows it.

    Lines and columns count from 1; `end_column` is exclusive. `path` uses forward slashes.
    `anchors` are the places (path, line) above which a comment about this handler may stand.
    `pointer` is the JSON Pointer of the value at fault, for findings in messages and schemas.
    """

    code: str
    rule: str
    severity: str
    confidence: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    handler: str
    message: str
    fix: str
    scenario: tuple[Step, ...] = ()
    anchors: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    pointer: str = ""

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.path, self.line, self.column, self.code, self.message)


class Judgement(Protocol):
    """What is found: a rule or a check."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def fix(self) -> str: ...


def certain(
    judgement: Judgement,
    path: str,
    line: int,
    message: str,
    *,
    column: int = 1,
    end_column: int = 0,
    handler: str = "",
    pointer: str = "",
    scenario: tuple[Step, ...] = (),
) -> Finding:
    """Return a finding about one line that leaves no room for doubt."""
    return Finding(
        code=judgement.code,
        rule=judgement.name,
        severity=judgement.severity,
        confidence="high",
        path=path,
        line=line,
        column=column,
        end_line=line,
        end_column=end_column or column,
        handler=handler,
        message=message,
        fix=judgement.fix,
        scenario=scenario,
        pointer=pointer,
    )


@dataclass(frozen=True)
class Reported:
    """A finding, and a name for it that survives when lines above it come and go."""

    finding: Finding
    fingerprint: str


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """What the tool could not do (unreadable input, broken config). `line` 0: the whole file."""

    path: str
    line: int
    message: str


@dataclass(frozen=True)
class Summary:
    """What a run looked at, by noun ("file": 3), and what came of it.

    `outcomes` counts the decisions about the messages of a stream.
    """

    looked_at: Mapping[str, int]
    findings: int
    errors: int
    outcomes: Mapping[str, int] = field(default_factory=dict)

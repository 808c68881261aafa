"""What a run tells: findings with their proof, and problems that kept the tool from its job.

Imports nothing of contractlint, so that every layer can speak of findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

# Steps that lead nowhere: they show what a finding speaks of beside its own place.
_REFERENCES = frozenset({"earlier", "schema", "also"})
_MOST_WAYS = 8


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
    def happening(self) -> tuple[Step, ...]:
        """The steps of the scenario, without what they refer to."""
        return tuple(step for step in self.scenario if not step.is_reference)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.path, self.line, self.column, self.code, self.message)


def one_a_fault(findings: Iterable[Finding]) -> list[Finding]:
    """Keep the shortest proof of each fault, and name the other calls that lead to it."""
    told = sorted(findings, key=lambda one: (len(one.happening), one.scenario, one.handler))
    faults: dict[tuple[object, ...], list[Finding]] = {}
    for finding in told:
        place = (finding.path, finding.line, finding.column, finding.code)
        faults.setdefault(place, []).append(finding)
    return [_with_others(proof, others) for proof, *others in faults.values()]


def _with_others(proof: Finding, others: Sequence[Finding]) -> Finding:
    """A helper's fault is seen from wherever it is called: in this handler, and in others."""
    own = tuple(step for step in proof.scenario if step.event != "also")
    known = {(step.path, step.line) for step in own}
    ways = {(step.path, step.line): step for step in proof.scenario if step.event == "also"}
    for other in others:
        for way in _ways_into(other, known, proof.handler):
            ways.setdefault((way.path, way.line), way)
    return replace(proof, scenario=own + tuple(sorted(ways.values())[:_MOST_WAYS]))


def _ways_into(
    finding: Finding, known: Collection[tuple[str, int]], handler: str
) -> Iterator[Step]:
    """Yield the last call that the proof of `handler` does not have, and what was named before."""
    calls: list[Step] = []
    for step in finding.happening:
        if (step.path, step.line) == (finding.path, finding.line):
            break
        calls = [*calls, step] if step.event == "call" else []
    others = [step for step in calls if (step.path, step.line) not in known]
    if others:
        way, whose = others[-1], "" if finding.handler == handler else f" from `{finding.handler}`"
        yield Step(way.path, way.line, "also", f"{way.text}{whose}")
    named = (step for step in finding.scenario if step.event == "also")
    yield from (step for step in named if (step.path, step.line) not in known)


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

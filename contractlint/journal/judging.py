"""Chains → findings, by the rules that judge code. Most jobs have one shape: it is judged once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from contractlint.events import EventGraph, Place
from contractlint.findings import Finding, certain
from contractlint.findings import Step as Told
from contractlint.journal.chains import Shape, Source, graph_of
from contractlint.journal.joining import Clues, clues_of
from contractlint.journal.observing import Evidence, Observation, Observed, seen_in
from contractlint.rules.catalog import Rule
from contractlint.rules.findings import CompiledRule, Telling, findings_in, without_superseded

_MOST_VERDICTS = 20_000

# Turns the index of a line in its chain into the line's place.
Locate = Callable[[int], tuple[str, int]]


class Verdict(NamedTuple):
    """What there is to say about every job of one shape; lines are indices in its chain."""

    findings: tuple[Finding, ...]
    clues: Clues
    seen: tuple[tuple[Observation, tuple[Source, ...]], ...]


class Judge:
    """Applies rules to shapes and remembers the verdicts."""

    def __init__(
        self, rules: tuple[CompiledRule, ...], limit: int, observations: tuple[Observation, ...]
    ) -> None:
        self._rules = rules
        self._limit = limit
        self._observations = observations
        self._verdicts: dict[Shape, Verdict] = {}

    def verdict(self, shape: Shape) -> Verdict:
        known = self._verdicts.get(shape)
        if known is None:
            if len(self._verdicts) >= _MOST_VERDICTS:
                self._verdicts.clear()
            known = self._verdicts[shape] = self._verdict(shape)
        return known

    def _verdict(self, shape: Shape) -> Verdict:
        graph = graph_of(shape, self._limit)
        seen = tuple(seen_in(graph, self._observations))
        return Verdict(tuple(self._judged(graph)), clues_of(shape), seen)

    def _judged(self, graph: EventGraph) -> Iterator[Finding]:
        telling = Telling(_place, _name, happened=True)
        found = sorted(findings_in(graph, self._rules, "", telling), key=lambda one: one.line)
        told: set[str] = set()
        for finding in without_superseded(found, self._rules):
            # A job that circles breaks a rule at every turn; the first one tells it.
            if finding.code not in told:
                told.add(finding.code)
                yield finding


def _place(source: Any) -> Place:
    return Place("", source.place + 1)


def _name(source: Any) -> str:
    name: str = source.name
    return name


def placed(finding: Finding, job: object, locate: Locate) -> Finding:
    """Return a finding of a verdict as one about the lines of `job`."""
    path, line = locate(finding.line - 1)
    scenario = tuple(_placed_step(step, locate) for step in finding.scenario)
    return replace(
        finding,
        path=path,
        line=line,
        end_line=line,
        handler=str(job),
        message=f"{finding.message} (job {job})",
        scenario=scenario,
    )


def _placed_step(step: Told, locate: Locate) -> Told:
    if not step.line:
        return step
    path, line = locate(step.line - 1)
    return replace(step, path=path, line=line)


def observed(
    observation: Observation, sources: tuple[Source, ...], job: object, locate: Locate
) -> Observed:
    """Return an observation of a verdict as one about the lines of `job`."""
    evidence = tuple(Evidence(*locate(source.place), source.name) for source in sources)
    return Observed(str(job), observation, evidence)


def remark(rule: Rule, path: str, line: int, message: str, pointer: str = "") -> Finding:
    """Return a finding of a rule without patterns."""
    text = f"{message} (at {pointer})" if pointer else message
    return certain(rule, path, line, text, pointer=pointer)

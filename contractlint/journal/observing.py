"""What is seen of a job: patterns that accuse nobody. Diagnosis and proofs are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from contractlint.events import EventGraph
from contractlint.findings import Finding
from contractlint.journal.mapping import reference
from contractlint.rules.patterns import Pattern, parse_pattern
from contractlint.rules.search import find_traces
from contractlint.ways import SearchSpace


class Observation(NamedTuple):
    """What can be seen; for a diagnosis also the cause it points to and what to do next."""

    name: str
    patterns: tuple[Pattern, ...]
    sees: str = ""
    cause: str = ""
    action: str = ""


class Evidence(NamedTuple):
    """A line that shows something, and its step in the journal's words."""

    path: str
    line: int
    step: str


class Observed(NamedTuple):
    """An observation of one job."""

    job: str
    observation: Observation
    evidence: tuple[Evidence, ...]


def diagnoses() -> tuple[Observation, ...]:
    """Return the observations that point to a cause."""
    return tuple(
        Observation(one["name"], _parsed(one["pattern"]), one["sees"], one["cause"], one["action"])
        for one in reference()["observation"]
    )


def seen_in(
    graph: EventGraph, observations: Iterable[Observation]
) -> Iterator[tuple[Observation, tuple[Any, ...]]]:
    """Yield each observation that a chain shows, with the sources of the events that show it."""
    space = SearchSpace.of(graph)
    for observation in observations:
        for pattern in observation.patterns:
            trace = next(find_traces(space, pattern), None)
            if trace is not None:
                yield observation, _ends(trace.events)
                break


def _ends(events: Sequence[Any]) -> tuple[Any, ...]:
    """Return the sources of the lines that count: not the journal's end, and each line once."""
    told = [event.source for event in events if event.kind != "journal_end"]
    return tuple(dict.fromkeys(told))


class Proofs:
    """Claims about a whole journal: shown by a trace, and broken by rules or by another trace."""

    def __init__(self) -> None:
        self._table: Sequence[Mapping[str, Any]] = reference()["proof"]
        self._seen: set[str] = set()
        self._codes: set[str] = set()

    def observations(self) -> tuple[Observation, ...]:
        """Return what a run has to look for."""
        rows = [(one["name"], one["shown"]) for one in self._table]
        rows += [(f"no {one['name']}", one["unless"]) for one in self._table if "unless" in one]
        return tuple(Observation(name, _parsed(pattern)) for name, pattern in rows)

    def take(self, told: Finding | Observed) -> None:
        if isinstance(told, Observed):
            self._seen.add(told.observation.name)
        elif isinstance(told, Finding) and told.severity != "info":
            self._codes.add(told.code)

    def answers(self) -> dict[str, bool]:
        """Return whether each claim holds, by its name."""
        return {one["name"]: self._holds(one) for one in self._table}

    def _holds(self, proof: Mapping[str, Any]) -> bool:
        name = proof["name"]
        broken = any(code.startswith(tuple(proof["broken"])) for code in self._codes)
        return name in self._seen and f"no {name}" not in self._seen and not broken


def _parsed(patterns: str | Sequence[str]) -> tuple[Pattern, ...]:
    texts = (patterns,) if isinstance(patterns, str) else patterns
    return tuple(parse_pattern(text) for text in texts)

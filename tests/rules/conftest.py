"""Graphs and traces written as words: `receive work[by=x] ack`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from contractlint.events import Event, EventGraph
from contractlint.rules.patterns import parse_pattern
from contractlint.rules.search import find_traces
from contractlint.ways import SearchSpace

_WORD = re.compile(r"(\w+)(?:\[(.*)\])?")


def event(word: str) -> Event:
    match = _WORD.fullmatch(word)
    assert match is not None
    pairs = (pair.split("=") for pair in (match[2] or "").split(",") if pair)
    return Event(match[1], word, dict(pairs))


def told(trace) -> str:
    """Write a trace down; ✗ stands where the process dies, ! before the reported event."""
    words = [("!" if one is trace.marked else "") + one.kind for one in trace.events]
    if trace.crash >= 0:
        words.insert(trace.crash, "✗")
    return " ".join(words)


@dataclass(frozen=True)
class Paths:
    """A graph whose ways are `paths`; common beginnings are shared."""

    graph: EventGraph

    @classmethod
    def of(cls, *paths: str) -> Paths:
        graph = EventGraph()
        known: dict[tuple[str, ...], int] = {(): 0}
        for path in paths:
            words = tuple(path.split())
            for end in range(1, len(words) + 1):
                if words[:end] not in known:
                    known[words[:end]] = graph.add(event(words[end - 1]))
                    graph.connect(known[words[: end - 1]], known[words[:end]])
        return cls(graph)

    def find(self, pattern: str) -> list[str]:
        found = find_traces(SearchSpace.of(self.graph), parse_pattern(pattern))
        return [told(trace) for trace in found]


@pytest.fixture
def paths():
    """`paths("receive ack persist", …).find(pattern)`: the forbidden traces of such a graph."""
    return Paths.of


@pytest.fixture
def matches():
    """Does a pattern find anything in a single trace?"""

    def matches(pattern: str, trace: str) -> bool:
        return bool(Paths.of(trace).find(pattern))

    return matches


@pytest.fixture
def make_event():
    return event


@pytest.fixture
def find():
    def find(graph: EventGraph, pattern: str) -> list[str]:
        return [told(t) for t in find_traces(SearchSpace.of(graph), parse_pattern(pattern))]

    return find

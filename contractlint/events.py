"""Events, event graphs and traces: the vocabulary every other part shares. Imports nothing of it.

A graph holds every trace a handler can take; a journal is a graph without branches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

# What is known of a value on a path: a set of the three ways it can answer a test.
IS_NONE, IS_FALSY, IS_TRUTHY = 1, 2, 4
ANYTHING = IS_NONE | IS_FALSY | IS_TRUTHY

# Events after which another delivery (or none) is in hand: what was seen before does not count.
BOUNDARIES = frozenset({"receive", "poll", "idle"})

# What the engine makes, what libraries are written with, and what code proves about itself. Others
# may be invented by a library file; a misspelt one is told from these.
EVENTS = frozenset(
    {
        *("receive", "ack", "requeue", "reject", "dead_letter", "retry", "quarantine"),
        *("stage", "persist", "rollback", "publish", "flush", "effect", "work", "call", "handoff"),
        *(
            "buffer",
            "gather",
            "join",
            "ledger_check",
            "ledger_record",
            "version_check",
            "count_check",
        ),
        *("compensate", "name"),
        *("failure", "told_failure", "error", "raise", "exit", "poll", "idle", "shutdown"),
        *("bounded", "classified"),
        *("produce", "identity", "again", "content", "recall"),
        *("remember", "release", "refusal", "journal_end", "lease", "version_read"),
    }
)

# Steps that only a journal tells of; code may use such words for something else.
JOURNAL_EVENTS = frozenset(
    {
        *("queued", "published", "succeeded"),
        *("effect_started", "effect_failed", "effect_result_unknown", "effect_reconciled"),
    }
)


def meant_event(kind: str) -> str:
    """Return the event of which `kind` looks like a misspelling, or an empty text."""
    if kind in EVENTS or kind in JOURNAL_EVENTS:
        return ""
    import difflib

    alike = difflib.get_close_matches(kind, EVENTS, n=1, cutoff=0.8)
    return alike[0] if alike else ""


@dataclass(frozen=True, slots=True)
class Place:
    """A span of source; lines and columns count from 1, `end_column` is exclusive."""

    path: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One step that matters. `source` and `chain` are opaque: who made the graph can locate them.

    `chain` holds the calls that led here from the handler, outermost first.
    """

    kind: str
    source: object = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    chain: tuple[object, ...] = ()

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")


class Need(NamedTuple):
    """An edge is taken only if the value in `slot` answers one of `mask`."""

    slot: int
    mask: int


class Change(NamedTuple):
    """A node gives `slot` the knowledge `mask`, or, if `source` >= 0, that of the slot `source`."""

    slot: int
    mask: int = ANYTHING
    source: int = -1


class Edge(NamedTuple):
    target: int
    need: Need | None = None


class EventGraph:
    """Nodes with at most one event each, and edges in the order of the source.

    `events[n]`, `changes[n]` and `edges[n]` describe node `n`; node 0 is the entry.
    """

    __slots__ = ("changes", "edges", "events")

    def __init__(self) -> None:
        self.events: list[Event | None] = [None]
        self.changes: list[tuple[Change, ...]] = [()]
        self.edges: list[list[Edge]] = [[]]

    def __len__(self) -> int:
        return len(self.events)

    def add(self, event: Event | None = None, changes: tuple[Change, ...] = ()) -> int:
        """Append a node that no edge leads to yet and return its number."""
        self.events.append(event)
        self.changes.append(changes)
        self.edges.append([])
        return len(self.events) - 1

    def connect(self, origin: int, target: int, need: Need | None = None) -> None:
        edge = Edge(target, need)
        if edge not in self.edges[origin]:
            self.edges[origin].append(edge)

    def kinds(self) -> frozenset[str]:
        return frozenset(event.kind for event in self.events if event)


@dataclass(frozen=True, slots=True)
class Trace:
    """One way through a graph that a rule forbids.

    `marked` is the event to report, `crash` the index in `events` before which the process dies
    (-1: no crash is needed for the harm).
    """

    events: tuple[Event, ...]
    marked: Event
    crash: int

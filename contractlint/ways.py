"""The ways through a graph that can be taken, as far as tests of the same value tell."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from contractlint.events import ANYTHING, Change, Edge, Event, EventGraph, Need

# What is known of tested values: pairs of a slot and a mask, by slot.
Facts = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class SearchSpace:
    """A graph prepared for many searches: only nodes and slots that can decide anything.

    `edges[n]` leads past nodes at which nothing happens; `live_after[n]` are the slots that a
    test behind node `n` still asks for; `before[n]` are the nodes from which an edge leads to `n`.
    """

    events: list[Event | None]
    edges: list[list[Edge]]
    changes: list[tuple[Change, ...]]
    live_after: list[frozenset[int]]
    kinds: frozenset[str]
    before: list[list[int]]
    _steps: dict[tuple[int, Facts], tuple[tuple[int, Facts], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: EventGraph) -> SearchSpace:
        telling = _telling_slots(graph)
        changes = [tuple(c for c in row if c.slot in telling) for row in graph.changes]
        edges = _short_edges(graph, changes, telling)
        before = _origins(edges)
        live = _live_slots(edges, changes, before)
        live_after = [_needed_at(row, (), live) for row in edges]
        return cls(graph.events, edges, changes, live_after, graph.kinds(), before)

    def arrive(self, node: int, facts: Facts = ()) -> Facts:
        """Return what is known once `node` has happened, as far as a later test asks for it."""
        changes = self.changes[node]
        if changes:
            facts = _with_changes(facts, changes)
        if facts:
            live = self.live_after[node]
            facts = tuple(fact for fact in facts if fact[0] in live)
        return facts

    def leave(self, node: int, facts: Facts) -> tuple[tuple[int, Facts], ...]:
        """Return the nodes that can come next, with what is known once each has happened."""
        key = (node, facts)
        if key not in self._steps:
            self._steps[key] = tuple(self._ways_on(node, facts))
        return self._steps[key]

    def _ways_on(self, node: int, facts: Facts) -> Iterator[tuple[int, Facts]]:
        for edge in self.edges[node]:
            known = _with_need(facts, edge.need)
            if known is not None:
                yield edge.target, self.arrive(edge.target, known)


def _origins(edges: list[list[Edge]]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in edges]
    for node, row in enumerate(edges):
        for edge in row:
            before[edge.target].append(node)
    return before


def _telling_slots(graph: EventGraph) -> set[int]:
    """Slots whose test can turn out differently for something that happened before it.

    A slot that is tested in one place only, and of which nothing is known before, tells nothing.
    """
    tests: dict[int, set[int]] = {}
    for node, row in enumerate(graph.edges):
        for edge in row:
            if edge.need:
                tests.setdefault(edge.need.slot, set()).add(node)
    copied_to: dict[int, set[int]] = {}
    known: set[int] = set()
    for changes in graph.changes:
        for change in changes:
            if change.source >= 0:
                copied_to.setdefault(change.source, set()).add(change.slot)
            elif change.mask != ANYTHING:
                known.add(change.slot)
    groups = _groups(tests, copied_to, known)
    return {
        slot
        for group in groups
        if group & known or len(set().union(*(tests.get(s, set()) for s in group))) > 1
        for slot in group
    }


def _groups(
    tests: dict[int, set[int]], copied_to: dict[int, set[int]], known: set[int]
) -> list[set[int]]:
    """Slots that copy from each other, as far as a test is among them."""
    neighbours: dict[int, set[int]] = {slot: set() for slot in {*tests, *known, *copied_to}}
    for source, targets in copied_to.items():
        for target in targets:
            neighbours.setdefault(source, set()).add(target)
            neighbours.setdefault(target, set()).add(source)
    groups, seen = [], set()
    for slot in neighbours:
        if slot in seen:
            continue
        group, waiting = set(), [slot]
        while waiting:
            one = waiting.pop()
            if one not in group:
                group.add(one)
                waiting += neighbours[one]
        seen |= group
        if group & tests.keys():
            groups.append(group)
    return groups


def _short_edges(
    graph: EventGraph, changes: list[tuple[Change, ...]], telling: set[int]
) -> list[list[Edge]]:
    """Edges without needs that tell nothing, leading straight to the next node that matters."""
    plain = [
        [Edge(e.target, e.need if e.need and e.need.slot in telling else None) for e in row]
        for row in graph.edges
    ]
    silent = [
        graph.events[n] is None and not changes[n] and len(row) == 1 and row[0].need is None
        for n, row in enumerate(plain)
    ]

    def landing(node: int) -> int:
        steps = 0
        while silent[node] and steps < len(plain):
            node = plain[node][0].target
            steps += 1
        return node

    return [list(dict.fromkeys(Edge(landing(e.target), e.need) for e in row)) for row in plain]


def _live_slots(
    edges: list[list[Edge]], changes: list[tuple[Change, ...]], before: list[list[int]]
) -> list[frozenset[int]]:
    """For each node, the slots a later test still asks for (before the node's own changes)."""
    live: list[frozenset[int]] = [frozenset()] * len(edges)
    waiting = deque(range(len(edges) - 1, -1, -1))
    queued = set(waiting)
    while waiting:
        node = waiting.popleft()
        queued.discard(node)
        needed = _needed_at(edges[node], changes[node], live)
        if needed != live[node]:
            live[node] = needed
            for previous in before[node]:
                if previous not in queued:
                    queued.add(previous)
                    waiting.append(previous)
    return live


def _needed_at(
    edges: list[Edge], changes: tuple[Change, ...], live: list[frozenset[int]]
) -> frozenset[int]:
    needed: set[int] = set()
    for edge in edges:
        needed |= live[edge.target]
        if edge.need:
            needed.add(edge.need.slot)
    for change in reversed(changes):
        if change.slot in needed:
            needed.discard(change.slot)
            if change.source >= 0:
                needed.add(change.source)
    return frozenset(needed)


def _with_need(facts: Facts, need: Need | None) -> Facts | None:
    """Return what is known once the edge is taken, or None if it cannot be."""
    if need is None:
        return facts
    known = dict(facts)
    mask = known.get(need.slot, ANYTHING) & need.mask
    if not mask:
        return None
    known[need.slot] = mask
    return tuple(sorted(known.items()))


def _with_changes(facts: Facts, changes: tuple[Change, ...]) -> Facts:
    if not changes:
        return facts
    known = dict(facts)
    for change in changes:
        mask = known.get(change.source, ANYTHING) if change.source >= 0 else change.mask
        if mask == ANYTHING:
            known.pop(change.slot, None)
        else:
            known[change.slot] = mask
    return tuple(sorted(known.items()))

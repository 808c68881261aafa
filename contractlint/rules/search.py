"""Automata × graphs: the shortest forbidden traces of a graph.

Breadth first over (node, state of the automaton, marked event, what is known of tested values),
so that the first witness found is a shortest one. From where no way leads to a match, whatever
the tests answer, the search does not go on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from contractlint.events import Event, Trace
from contractlint.rules.patterns import Pattern
from contractlint.ways import Facts, SearchSpace

_MOST_STATES = 20_000

_State = tuple[int, int, int, Facts]


def find_traces(space: SearchSpace, pattern: Pattern) -> Iterator[Trace]:
    """Yield one shortest trace for each marked event that can take part in the pattern."""
    if _can_occur(space, pattern):
        search = _Search(space, pattern)
        yield from map(search.trace, search.run())


def allows(space: SearchSpace, pattern: Pattern) -> bool:
    """Is there a trace in the graph that matches? No step of the pattern has to be marked."""
    return _can_occur(space, pattern) and any(True for _ in _Search(space, pattern).run())


def _can_occur(space: SearchSpace, pattern: Pattern) -> bool:
    return all(kinds & space.kinds or "*" in kinds for kinds in pattern.kinds_needed())


class _Search:
    def __init__(self, space: SearchSpace, pattern: Pattern) -> None:
        self.space = space
        self.pattern = pattern
        self.parents: dict[_State, _State | None] = {}
        self.waiting: deque[_State] = deque()
        self.reported: set[int] = set()
        self.following = _Following(space, pattern)
        self.leading = _leading(space, pattern, self.following)

    def run(self) -> Iterator[_State]:
        """Yield the first state reached in which the pattern has matched, for each marked event."""
        self._arrive(None, 0, 0, -1, self.space.arrive(0))
        goal = len(self.pattern.stages)
        while self.waiting and len(self.parents) < _MOST_STATES:
            state = self.waiting.popleft()
            if state[1] == goal:
                if state[2] not in self.reported:
                    self.reported.add(state[2])
                    yield state
            elif state[2] not in self.reported:
                self._leave(state)

    def _leave(self, state: _State) -> None:
        node, automaton, marked, facts = state
        for target, known in self.space.leave(node, facts):
            self._arrive(state, target, automaton, marked, known)

    def _arrive(
        self, parent: _State | None, node: int, automaton: int, marked: int, facts: Facts
    ) -> None:
        for state in self.following[node, automaton]:
            if node in self.leading[state]:
                stage = self.pattern.stages[automaton]
                mark = node if state > automaton and stage.marked else marked
                self._push(parent, (node, state, mark, facts))

    def _push(self, parent: _State | None, state: _State) -> None:
        if state not in self.parents:
            self.parents[state] = parent
            self.waiting.append(state)

    def trace(self, last: _State) -> Trace:
        states: list[_State] = []
        step: _State | None = last
        while step is not None:
            states.append(step)
            step = self.parents[step]
        states.reverse()
        events: list[Event] = []
        crash = -1
        previous, start = 0, -1
        for node, automaton, _, _ in states:
            event = self.space.events[node]
            if event is None:
                continue
            events.append(event)
            if automaton and start < 0:
                start = len(events) - 1
            advanced = automaton > previous and automaton < len(self.pattern.stages)
            if advanced and self.pattern.stages[automaton].crash:
                crash = len(events)
            previous = automaton
        if self.pattern.crash_at_end:
            crash = len(events)
        events, crash = events[start:], crash - start if crash >= 0 else crash
        marked = self.space.events[last[2]]
        assert marked is not None
        return Trace(tuple(events), marked, crash)


class _Following(dict[tuple[int, int], tuple[int, ...]]):
    """The states that can follow when a node is reached in a state, worked out when asked for."""

    def __init__(self, space: SearchSpace, pattern: Pattern) -> None:
        self._space = space
        self._pattern = pattern

    def __missing__(self, key: tuple[int, int]) -> tuple[int, ...]:
        node, automaton = key
        event = self._space.events[node]
        self[key] = self._pattern.advance(automaton, event) if event else (automaton,)
        return self[key]


def _leading(space: SearchSpace, pattern: Pattern, following: _Following) -> list[set[int]]:
    """Return for each state the nodes from which edges lead to a match, tests left aside."""
    nodes = range(len(space.events))
    leading = [set(nodes)]
    for state in reversed(range(len(pattern.stages))):
        advancing = [n for n in leading[0] if space.events[n] and state + 1 in following[n, state]]
        leading.insert(0, _backwards(space, advancing, state, following))
    return leading


def _backwards(
    space: SearchSpace, targets: Iterable[int], state: int, following: _Following
) -> set[int]:
    """Return the nodes from which one of `targets` can be reached in this very state."""
    waiting = [origin for target in targets for origin in space.before[target]]
    found: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if state in following[node, state]:
                waiting += space.before[node]
    return found

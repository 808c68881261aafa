"""The main chain of a handler: the way of one delivery on which everything goes well.

Of all ways that can be taken it is the one with the most steps that matter, in the order receive →
decision → effect → record → acknowledgement.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from contractlint.events import EVENTS, Event
from contractlint.ways import Facts, SearchSpace

_WORTH = {
    "ack": 10,
    "effect": 8,
    "persist": 8,
    "ledger_check": 6,
    "ledger_record": 6,
    "publish": 5,
    "handoff": 4,
    "stage": 3,
    "version_check": 3,
    "work": 2,
    "buffer": 1,
    "join": 1,
    "flush": 1,
    # What a way on which all goes well does not need.
    "quarantine": -20,
    "rollback": -20,
    "requeue": -50,
    "reject": -50,
    "dead_letter": -50,
    "retry": -50,
    "error": -50,
    "shutdown": -50,
    "failure": -100,
    "raise": -100,
}
_FAILED_EXIT = -100
_OWN_EVENT = 4  # a project's own rule speaks of it
_BEGINS_ANEW = frozenset({"receive", "idle"})
_ENDS = _BEGINS_ANEW | {"exit"}
_MOST_LABELS = 20_000
_KEPT_PER_STATE = 3
_MOST_VISITS = 2  # enough to go through a loop and out of it again


@dataclass(frozen=True, slots=True)
class Chain:
    """One way of a delivery: its nodes that have an event, and these events, `receive` first."""

    nodes: tuple[int, ...]
    events: tuple[Event, ...]


@dataclass(slots=True, eq=False)
class _Label:
    """A part of a way, told by its last node and the label before it."""

    node: int
    facts: Facts
    score: int
    before: _Label | None

    def nodes(self) -> Iterator[int]:
        label: _Label | None = self
        while label is not None:
            yield label.node
            label = label.before


def main_chain(space: SearchSpace) -> Chain | None:
    """Return the main chain, or None if no delivery arrives in this graph."""
    starts = [n for n, event in enumerate(space.events) if event and event.kind == "receive"]
    ends = [end for start in starts for end in _Walk(space, start).ends()]
    if not ends:
        return None
    best = max(ends, key=lambda label: label.score)
    nodes = [node for node in reversed(list(best.nodes())) if space.events[node] is not None]
    nodes = _without_next_delivery(space, nodes)
    return Chain(tuple(nodes), tuple(event for n in nodes if (event := space.events[n])))


def _without_next_delivery(space: SearchSpace, nodes: list[int]) -> list[int]:
    last = space.events[nodes[-1]]
    return nodes[:-1] if last is not None and last.kind in _BEGINS_ANEW and nodes[1:] else nodes


class _Walk:
    """All ways worth keeping from one `receive` to the end of its delivery."""

    def __init__(self, space: SearchSpace, start: int) -> None:
        self._space = space
        self._kept: dict[tuple[int, Facts], list[int]] = {}
        facts = space.arrive(start)
        self._waiting = deque([_Label(start, facts, 0, None)])

    def ends(self) -> Iterator[_Label]:
        labels = 0
        while self._waiting and labels < _MOST_LABELS:
            labels += 1
            label = self._waiting.popleft()
            following = self._space.leave(label.node, label.facts)
            if not following:
                yield label
            for target, facts in following:
                event = self._space.events[target]
                if event is not None and self._is_end(label, event):
                    yield _Label(target, facts, label.score + _worth(event), label)
                else:
                    self._go_on(label, target, facts)

    def _is_end(self, label: _Label, event: Event) -> bool:
        if event.kind == "receive" and event["again"] == "yes":
            return False  # the batch is gone through once more: it is the same message
        return event.kind in _ENDS and not self._opens_batch(label, event)

    def _opens_batch(self, label: _Label, event: Event) -> bool:
        """Is it the first message of the batch that has just been received?"""
        return event["of"] == "batch" and not any(map(self._is_message_of_batch, label.nodes()))

    def _is_message_of_batch(self, node: int) -> bool:
        event = self._space.events[node]
        return event is not None and event.kind == "receive" and event["of"] == "batch"

    def _go_on(self, label: _Label, target: int, facts: Facts) -> None:
        visits = sum(node == target for node in label.nodes())
        if visits >= _MOST_VISITS:
            return
        score = label.score + (0 if visits else _worth(self._space.events[target]))
        kept = self._kept.setdefault((target, facts), [])
        if len(kept) >= _KEPT_PER_STATE:
            if score <= min(kept):
                return
            kept.remove(min(kept))
        kept.append(score)
        self._waiting.append(_Label(target, facts, score, label))


def _worth(event: Event | None) -> int:
    if event is None:
        return 0
    if event.kind == "exit":
        return _FAILED_EXIT if event["by"] == "raise" else 0
    if event.kind == "effect" and event["repeat"] == "safe":
        return 1
    return _WORTH.get(event.kind, 0 if event.kind in EVENTS else _OWN_EVENT)

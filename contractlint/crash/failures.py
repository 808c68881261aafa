"""When a step fails: the ways in which a failed delivery ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from contractlint.events import Event
from contractlint.ways import Facts, SearchSpace

LOOPS, RETRIED, SET_ASIDE = "loops", "retried", "set-aside"
REJECTED, DROPPED, GIVEN_UP, ESCAPES = "rejected", "dropped", "given-up", "escapes"

_FAILS = frozenset({"failure", "error", "raise"})
_SETTLES = frozenset({"ack", "reject", "requeue", "dead_letter", "retry"})
_COUNTS = frozenset({"bounded", "classified", "shutdown"})
_RECORDS = frozenset({"persist", "publish", "effect"})
# Steps after a failure through which somebody may learn of it.
_KEEPS = _RECORDS | {"quarantine", "stage", "work", "handoff", "ledger_check"}
_ENDS = frozenset({"receive", "poll", "idle", "exit"})
_MOST_STATES = 20_000


class FailureEnd(NamedTuple):
    """One end of a failed delivery.

    `caught` is where the failure is caught, `settled` what settles the message; where nothing does,
    both are the exit.
    """

    caught: Event
    settled: Event
    outcome: str


@dataclass(frozen=True, slots=True)
class _Walker:
    """A delivery on its way. `counted`: the reason or the number of attempts was tested.

    `caught` and `settled` are nodes, -1 for none; `raised`: a statement let the failure go on.
    """

    node: int
    facts: Facts
    caught: int = -1
    settled: int = -1
    raised: bool = False
    counted: bool = False
    aside: bool = False
    recorded: bool = False


def failure_ends(space: SearchSpace, start: int) -> Iterator[FailureEnd]:
    """Yield each way in which a failed delivery ends, told by what settles it; shortest first."""
    seen = {_Walker(start, space.arrive(start))}
    waiting = deque(seen)
    told: set[FailureEnd] = set()
    while waiting and len(seen) < _MOST_STATES:
        walker = waiting.popleft()
        event = space.events[walker.node]
        end = _end(walker, event, space) if event is not None else None
        if end is not None and end not in told:
            told.add(end)
            yield end
        if end is not None or (event and event.kind in _ENDS and walker.node != start):
            continue
        for target, facts in space.leave(walker.node, walker.facts):
            after = _step(walker, space.events[target], target, facts)
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append(after)


def _step(walker: _Walker, event: Event | None, node: int, facts: Facts) -> _Walker | None:
    """Return the walker one step on, or None if this delivery can no longer fail unrecorded."""
    walker = replace(walker, node=node, facts=facts)
    if event is None:
        return walker
    failed = walker.caught >= 0
    if event.kind in _SETTLES:
        return replace(walker, settled=node)
    if failed and event.kind == "raise":
        return replace(walker, raised=True)
    if event.kind == "failure" and event["kind"] == "duplicate":
        return None
    if event.kind in _FAILS and not failed:
        raised = event.kind != "failure"
        counted = event["kind"] == "transient"  # waiting may heal it
        after = replace(walker, caught=node, raised=raised, counted=counted)
        return None if walker.recorded else after
    if event.kind in _COUNTS:
        return replace(walker, counted=True)
    if failed and event.kind in _KEEPS:
        return replace(walker, aside=True)
    if event.kind in _RECORDS:
        return replace(walker, recorded=True)
    return walker


def _end(walker: _Walker, event: Event, space: SearchSpace) -> FailureEnd | None:
    if event.kind == "exit" and event["by"] == "raise":
        return _left_by_raising(walker, event, space)
    caught = space.events[walker.caught] if walker.caught >= 0 else None
    outcome = _outcome(walker, event)
    return FailureEnd(caught, event, outcome) if caught is not None and outcome else None


def _left_by_raising(walker: _Walker, leaving: Event, space: SearchSpace) -> FailureEnd | None:
    """Tell a failure that leaves the handler, unless it is one of the answer to another failure."""
    if walker.recorded or (walker.caught >= 0 and not walker.raised):
        return None
    caught = space.events[walker.caught] if walker.caught >= 0 else leaving
    settled = space.events[walker.settled] if walker.settled >= 0 else None
    if caught is None or settled is None:
        return FailureEnd(caught or leaving, leaving, ESCAPES)
    return FailureEnd(caught, settled, _outcome(walker, settled) or ESCAPES)


def _outcome(walker: _Walker, event: Event) -> str:
    if event.kind in ("requeue", "retry"):
        limited = walker.counted or event["bounded"] or event["sure"] == "no"
        return RETRIED if limited or event.kind == "retry" else LOOPS
    if event.kind == "dead_letter":
        return SET_ASIDE
    if event.kind == "reject":
        return SET_ASIDE if walker.aside or event["dead_letter"] == "yes" else REJECTED
    if event.kind == "ack" and event["covers"] != "others":
        by_library = GIVEN_UP if event["outcome"] == "failed" else DROPPED
        return SET_ASIDE if walker.aside else by_library
    return ""

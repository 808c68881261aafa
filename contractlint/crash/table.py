"""One event graph → the card of its handler, with its crash table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from contractlint.crash.card import CrashRow, FailureRow, HandlerCard
from contractlint.crash.chain import Chain, main_chain
from contractlint.crash.failures import failure_ends
from contractlint.crash.simulation import Fate, Simulation
from contractlint.crash.telling import ENDINGS, Teller
from contractlint.events import EVENTS, Event, EventGraph, Place
from contractlint.findings import Step
from contractlint.ways import SearchSpace

_TOLD = frozenset(
    {
        *("receive", "ack", "reject", "requeue", "dead_letter", "retry", "quarantine"),
        *("publish", "flush", "stage", "persist", "effect", "handoff", "join", "buffer", "work"),
        *("ledger_check", "ledger_record", "version_check", "compensate", "rollback"),
    }
)
_ACKNOWLEDGES = {
    "call": "by hand",
    "context": "by a with block",
    "library": "by the library when the handler returns",
    "config": "by the library itself",
    "default": "by the library itself, by default",
    "close": "when the consumer is closed",
}
_KEYS = {"none": "none", "stable": "from the message", "unstable": "another at each delivery"}


def handler_card(
    graph: EventGraph, name: str, library: str, place: Place, teller: Teller
) -> HandlerCard:
    """Return all that is told of a handler; without a delivery in its graph, no chain."""
    space = SearchSpace.of(graph)
    chain = main_chain(space) or Chain((), ())
    events = [event for event in graph.events if event is not None]
    rows = tuple(_crash_rows(Simulation(space, chain), teller))
    return HandlerCard(
        path=place.path,
        line=place.line,
        name=name,
        library=library,
        queues=_distinct(e["queue"] for e in events if e.kind == "receive"),
        acknowledges=_distinct(map(_acknowledges, events)),
        retry_limits=_distinct(_limits(events, teller)),
        effects=_steps(events, teller, "effect"),
        keys=_distinct(_KEYS.get(e["key"], "") for e in events if e.kind == "effect"),
        ledger=_steps(events, teller, "ledger_check"),
        dead_letters=_steps(events, teller, "quarantine", "dead_letter", "reject"),
        chain=tuple(dict.fromkeys(row.step for row in rows)),
        crash=rows,
        failures=tuple(_failure_rows(space, chain, teller)),
    )


def is_told(event: Event) -> bool:
    """Is this a step of which a crash table speaks?"""
    return event.kind in _TOLD or event.kind not in EVENTS


def _told_positions(events: Sequence[Event]) -> list[int]:
    """Return the positions of the steps of the table.

    A call that asks the ledger and the test of its answer are one step; so are a batch and the
    first of its messages, and a delivery and the acknowledgement that the broker takes it for.
    """
    told: list[int] = []
    for position, event in enumerate(events):
        if not is_told(event):
            continue
        last = events[told[-1]].kind if told else ""
        if event.kind == "ledger_check" == last:
            continue
        if last == "receive" and (event.kind == "receive" or _comes_with_delivery(event)):
            told.pop()
        told.append(position)
    return told


def _comes_with_delivery(event: Event) -> bool:
    return event.kind == "ack" and event["by"] == "config"


def _crash_rows(simulation: Simulation, teller: Teller) -> Iterator[CrashRow]:
    events = simulation.chain.events

    def row(event: Event, fate: Fate, *, during: bool) -> CrashRow:
        text = teller.fate(fate, events)
        return CrashRow(teller.step(event), during, fate.outcome, fate.reason, text)

    for position in _told_positions(events):
        during, after = simulation.die_during(position), simulation.die_after(position)
        if during is not None and during != after:
            yield row(events[position], during, during=True)
        yield row(events[position], after, during=False)


def _failure_rows(space: SearchSpace, chain: Chain, teller: Teller) -> Iterator[FailureRow]:
    if not chain.nodes:
        return
    rows = {
        FailureRow(
            teller.step(end.caught), teller.step(end.settled), end.outcome, ENDINGS[end.outcome]
        )
        for end in failure_ends(space, chain.nodes[0])
    }
    yield from sorted(rows, key=lambda row: (row.caught, row.settled, row.outcome))


def _acknowledges(event: Event) -> str:
    if event["settles"]:
        return "by a commit"
    return _ACKNOWLEDGES.get(event["by"], "") if event.kind == "ack" else ""


def _limits(events: Iterable[Event], teller: Teller) -> Iterator[str]:
    for event in events:
        if event.kind == "bounded":
            yield teller.code(event)
        elif event.kind in ("requeue", "retry") and event["bounded"]:
            yield f"by the {event['bounded']}"


def _steps(events: Iterable[Event], teller: Teller, *kinds: str) -> tuple[Step, ...]:
    return tuple(sorted({teller.step(event) for event in events if event.kind in kinds}))


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))

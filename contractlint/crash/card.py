"""What is told of one handler. Plain data: places and texts, no graph and no source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from contractlint.findings import Step


@dataclass(frozen=True, slots=True)
class CrashRow:
    """What happens when the process dies after `step`, or `during` it.

    `outcome` is one of those of `contractlint.crash.simulation`, `reason` one of those that
    `contractlint.crash.telling` puts into words; `text` tells what comes of it.
    """

    step: Step
    during: bool
    outcome: str
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class FailureRow:
    """What happens to the message when a step fails: `caught` where, `settled` how and where."""

    caught: Step
    settled: Step
    outcome: str
    text: str


@dataclass(frozen=True, slots=True)
class HandlerCard:
    """One handler: where it is, what it does to a delivery, and what a death comes to.

    `line` counts from 1. `chain` is its main chain; `crash` has a row for each gap in it and
    `failures` one for each way in which a failed delivery ends.
    """

    path: str
    line: int
    name: str
    library: str
    queues: tuple[str, ...] = ()
    acknowledges: tuple[str, ...] = ()
    retry_limits: tuple[str, ...] = ()
    effects: tuple[Step, ...] = ()
    keys: tuple[str, ...] = ()
    ledger: tuple[Step, ...] = ()
    dead_letters: tuple[Step, ...] = ()
    chain: tuple[Step, ...] = ()
    crash: tuple[CrashRow, ...] = ()
    failures: tuple[FailureRow, ...] = ()


def distinct_cards(cards: Iterable[HandlerCard]) -> tuple[HandlerCard, ...]:
    """Return each handler once, with all its queues, in the order of their places.

    A handler that is found in two ways, or registered for two queues, gave a card each time.
    """
    queues: dict[HandlerCard, set[str]] = {}
    for card in cards:
        queues.setdefault(replace(card, queues=()), set()).update(card.queues)
    merged = [replace(card, queues=tuple(sorted(names))) for card, names in queues.items()]
    return tuple(sorted(merged, key=lambda card: (card.path, card.line, card.name, card.library)))

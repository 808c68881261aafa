"""What stands in the cells of the tables, for all formats."""

from __future__ import annotations

from collections.abc import Sequence

from contractlint.crash.card import CrashRow, FailureRow, HandlerCard
from contractlint.findings import Step

OVERVIEW = (
    "handler",
    "where",
    "library",
    "queue",
    "acknowledges",
    "retry limit",
    "effects",
    "keys",
    "ledger",
    "dead letters",
)
CRASH = ("the process dies", "event", "line", "outcome", "what comes of it")
FAILURES = ("a failure is caught by", "line", "settled by", "line", "outcome", "what comes of it")
NOTHING = "–"


def overview(card: HandlerCard) -> tuple[str, ...]:
    """Return the cells of a handler below OVERVIEW."""
    return (
        card.name,
        f"{card.path}:{card.line}",
        card.library or NOTHING,
        _several(card.queues),
        _several(card.acknowledges),
        _several(card.retry_limits),
        _several(steps(card.effects)),
        _several(card.keys),
        _several(steps(card.ledger)),
        _several(steps(card.dead_letters)),
    )


def crash_rows(card: HandlerCard) -> list[tuple[str, ...]]:
    """Return the rows of the crash table below CRASH."""
    return [
        (moment(row), row.step.event, place(row.step, card), row.outcome, row.text)
        for row in card.crash
    ]


def failure_rows(card: HandlerCard) -> list[tuple[str, ...]]:
    """Return the rows below FAILURES."""
    return [
        (
            row.caught.text,
            place(row.caught, card),
            settled_by(row),
            place(row.settled, card),
            row.outcome,
            row.text,
        )
        for row in card.failures
    ]


def moment(row: CrashRow) -> str:
    """Say when the process dies."""
    if row.step.event == "receive":
        return "once the message is delivered"
    return f"{'during' if row.during else 'after'} {row.step.text}"


def settled_by(row: FailureRow) -> str:
    """Say what settles a failed delivery."""
    return "nothing" if row.settled.event == "exit" else row.settled.text


def place(step: Step, card: HandlerCard) -> str:
    """Return the line, with its file where that is not the handler's own."""
    return str(step.line) if step.path == card.path else f"{step.path}:{step.line}"


def steps(told: Sequence[Step]) -> list[str]:
    return list(dict.fromkeys(step.text for step in told))


def _several(texts: Sequence[str]) -> str:
    return ", ".join(texts) or NOTHING

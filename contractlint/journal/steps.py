"""The forms that steps take: lines that differ only in job, time and values are one form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contractlint.journal.mapping import JournalMapping

# Settles the delivery that is in hand.
SETTLEMENTS = frozenset({"ack", "reject", "requeue", "dead_letter"})
# After these the broker delivers the job no more.
_FINAL = frozenset({"ack", "reject", "dead_letter"})
_AWAITED = frozenset({"queued", "published"})
_FAILURE_KINDS = {"transient": "transient", "permanent": "permanent"}


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One form of a step: its name in the journal, its event, and what the line says of it.

    `attempt` 0: the line does not say. `final`: the job may be over; `waits`: it is to be received.
    There is one object a form, so that chains are compared by identity.
    """

    name: str
    kind: str
    attributes: Mapping[str, str]
    attempt: int = 0
    redelivered: bool | None = None
    final: bool = False
    waits: bool = False


def step_of(facts: tuple[Any, ...], mapping: JournalMapping) -> Step:
    """Return the form of a line; `facts` are its values for FORM_ROLES."""
    name, attempt, requeue, redelivered, reason_class = facts
    meaning = mapping.meaning(name)
    kind = meaning.event
    if requeue is False and meaning.without_requeue:
        kind = meaning.without_requeue
    attributes = dict(meaning.attributes)
    if kind == "failure":
        failure = _FAILURE_KINDS.get(reason_class, "unknown")
        # What code says of a failure that the handler itself catches from its own work.
        attributes = {"kind": failure, "depth": "0", "of": "work", **attributes}
    elif reason_class is not None:
        attributes["class"] = str(reason_class)
    return Step(
        name,
        kind,
        attributes,
        attempt if type(attempt) is int else 0,
        redelivered if isinstance(redelivered, bool) else None,
        kind in _FINAL,
        kind in _AWAITED,
    )

"""One job's lines as a graph without branches.

What code can only fear, a journal shows: that a result has another name than the first one, that a
reason comes again, that an attempt is skipped. Such relations between lines become attributes of
their events, so that patterns can ask for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contractlint.events import Event, EventGraph
from contractlint.journal.steps import SETTLEMENTS, Step

# The number of the job's own id among the values of its lines.
JOB = 0

Numbers = tuple[int | None, ...]


class Source(NamedTuple):
    """Where an event comes from: the place of its line in the chain, and the step's name."""

    place: int
    name: str


class Shape(NamedTuple):
    """A job's chain without what differs from job to job; chains of one shape have one verdict.

    `steps` and `values` belong together line by line; equal values of a job have equal numbers.
    `overdue`: it is queued and should have been received by the end of the journal.
    """

    steps: tuple[Step, ...]
    values: tuple[Numbers | None, ...]
    overdue: bool = False


def numbered(values: Sequence[tuple[Any, ...] | None], job: object) -> tuple[Numbers | None, ...]:
    """Return the values with a number for each different one, in the order they appear."""
    numbers: dict[Any, int | None] = {job: JOB, None: None}
    number = numbers.setdefault
    return tuple(
        [
            None if row is None else tuple([number(one, len(numbers)) for one in row])
            for row in values
        ]
    )


def graph_of(shape: Shape, limit: int) -> EventGraph:
    """Return the chain as a graph; `limit` 0: no limit of attempts is known."""
    return _Chain(shape, limit).graph()


@dataclass
class _Delivery:
    attempt: int
    results: set[int] = field(default_factory=set)


class _Chain:
    """Goes along the chain and remembers what later lines are compared with."""

    def __init__(self, shape: Shape, limit: int) -> None:
        self._shape = shape
        self._limit = limit
        self._deliveries: list[_Delivery] = []
        self._is_over = False  # settled for good
        self._reasons: set[int] = set()
        self._kind_of_key: dict[int, int | None] = {}
        self._effects: dict[tuple[str, int | None, int | None], int] = {}

    def graph(self) -> EventGraph:
        graph = EventGraph()
        last = 0
        for index, (step, row) in enumerate(zip(self._shape.steps, self._values(), strict=True)):
            event = Event(step.kind, Source(index, step.name), self._attributes(step, row))
            last = _append(graph, last, event)
        source = Source(len(self._shape.steps) - 1, self._shape.steps[-1].name)
        _append(graph, last, Event("journal_end", source, self._at_end()))
        return graph

    def _values(self) -> Sequence[Numbers]:
        return [row or (None,) * 5 for row in self._shape.values]

    def _at_end(self) -> Mapping[str, str]:
        received = {} if self._deliveries else {"received": "no"}
        return {"overdue": "yes", **received} if self._shape.overdue else received

    def _attributes(self, step: Step, row: Numbers) -> dict[str, str]:
        reason, result, key, kind, tag = row
        if step.kind == "receive":
            return {**step.attributes, **self._received(step), **_joined(tag)}
        told = {**step.attributes, **self._place(step), **self._keyed(key, kind), **_joined(tag)}
        if step.kind == "failure":
            told["reason"] = self._reason(reason)
        elif step.kind == "persist":
            told["result"] = self._result(result)
        elif step.kind in ("effect", "effect_started"):
            told |= self._effect(step, key, kind)
        elif step.kind in SETTLEMENTS:
            told["once"] = "no" if told.get("attempt") == "behind" else "yes"
            self._is_over = step.final
        return told

    def _received(self, step: Step) -> dict[str, str]:
        told = {"of": "journal", "begins": self._begins(step)}
        if step.attempt:
            told["attempt"] = self._growth(step.attempt)
            if self._limit:
                told["limit"] = _measured(step.attempt, self._limit)
        self._deliveries.append(_Delivery(step.attempt))
        self._is_over = False
        return told

    def _begins(self, step: Step) -> str:
        """Is this the job's first delivery? `said`: the line says so itself."""
        if self._deliveries or step.attempt > 1 or step.redelivered:
            return "no"
        return "said" if step.attempt or step.redelivered is False else "yes"

    def _growth(self, attempt: int) -> str:
        if not self._deliveries:
            return "first" if attempt == 1 else "unseen"
        last = self._deliveries[-1].attempt
        if not last or attempt == last + 1:
            return "next"
        if attempt == 1 and self._is_over and self._deliveries[0].attempt == 1:
            return "anew"
        return "same" if attempt == last else "skipped" if attempt > last else "back"

    def _place(self, step: Step) -> dict[str, str]:
        """Tell which delivery the step belongs to, where it is not the one in hand."""
        if not self._deliveries:
            return {}
        now = self._deliveries[-1]
        if step.attempt and now.attempt:
            if step.attempt < now.attempt:
                return {"attempt": "behind"}
            # A retry may name the attempt that it asks for.
            if step.attempt > now.attempt + (step.kind == "retry"):
                return {"attempt": "ahead"}
        return {}

    def _reason(self, reason: int | None) -> str:
        if reason is None:
            return "none"
        known = reason in self._reasons
        self._reasons.add(reason)
        return "again" if known else "new"

    def _result(self, result: int | None) -> str:
        """Tell how the result's name relates to those of earlier deliveries.

        A job with several results in one delivery is no news; only its first one is compared.
        """
        if result is None:
            return "none"
        if not self._deliveries:
            return "first"
        now, earlier = self._deliveries[-1], self._deliveries[:-1]
        known = {one for delivery in earlier for one in delivery.results}
        is_second, several = bool(now.results), any(len(one.results) > 1 for one in earlier)
        now.results.add(result)
        if not known or result in known:
            return "again" if known else "first"
        return "more" if is_second or several else "other"

    def _keyed(self, key: int | None, kind: int | None) -> dict[str, str]:
        if key is None:
            return {}
        known = self._kind_of_key.setdefault(key, kind)
        told = {"key": "job" if key == JOB else "given"}
        if kind is not None and known is not None and kind != known:
            told["shares"] = "key"
        return told

    def _effect(self, step: Step, key: int | None, kind: int | None) -> dict[str, str]:
        told = {} if key is not None else {"key": "unknown"}
        if key is None and kind is None:
            return told
        identity = (step.kind, key, kind)
        seen = self._effects.setdefault(identity, len(self._deliveries))
        return {**told, "again": "yes"} if seen < len(self._deliveries) else told


def _append(graph: EventGraph, last: int, event: Event) -> int:
    node = graph.add(event)
    graph.connect(last, node)
    return node


def _joined(tag: int | None) -> dict[str, str]:
    return {"tag": "job"} if tag == JOB else {}


def _measured(attempt: int, limit: int) -> str:
    if attempt == limit:
        return "at"
    return "beyond" if attempt > limit else "within"

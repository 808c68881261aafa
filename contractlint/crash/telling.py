"""Outcomes and steps in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contractlint.crash.simulation import Fate
from contractlint.events import Event, Place
from contractlint.findings import Step

_MOST_NAMED = 3

REASONS: Mapping[str, str] = {
    "starts-over": "delivered again and starts over",
    "finished": "nothing is left to do",
    "recorded": "delivered again; the record is found and nothing is done twice",
    "callee-knows": "delivered again; the callee knows the key and does {steps} only once",
    "claim-stands": "delivered again and taken for done; nobody recorded how {steps} ended",
    "set-aside": "delivered again, begun and not finished: set aside for a person",
    "not-recorded-yet": "delivered again; what the ledger has noted decides whether {steps} "
    "{happens} twice",
    "claimed-not-done": "delivered again and taken for a duplicate while the claim stands, "
    "though the work was not done",
    "may-have-claimed": "delivered again; starts over unless {steps} has noted that it was begun",
    "check-decides-nothing": "delivered again; the look at the ledger turns nobody away",
    "marked": "marked as taken: {steps} never {happens} unless somebody looks for such marks",
    "rest-skipped": "the result is recorded, but {steps} never {happens}",
    "comes-only-once": "this consumer goes on with what is new; {steps} never {happens}",
    "not-published": "not delivered again: {steps} never {happens}",
    "never-done": "not delivered again: {steps} never {happens}",
    "done-again": "delivered again: {steps} {happens} twice",
    "in-flight": "nobody knows whether {steps} has happened",
    "in-flight-again": "nobody knows whether {steps} has happened; it is done again",
}

ENDINGS: Mapping[str, str] = {
    "loops": "delivered again at once, whatever went wrong and without a limit",
    "retried": "delivered again, within a limit or for a known reason",
    "set-aside": "kept where somebody can find it",
    "rejected": "goes to the dead letters if the queue has a route for them, else it is gone",
    "dropped": "the broker forgets the message as if it had been handled",
    "given-up": "the library acknowledges; only its own record of failures tells",
    "escapes": "nothing settles the message: it stays with the broker",
}

_WITHOUT_CODE = {
    "receive": "the broker delivers a message",
    "exit": "no `except`",
}


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells steps by the place and the code of their opaque sources."""

    locate: Callable[[object], Place]
    excerpt: Callable[[object], str]

    def step(self, event: Event) -> Step:
        place = self.locate(event.source)
        return Step(place.path, place.line, event.kind, self._text(event))

    def _text(self, event: Event) -> str:
        if event.kind == "ack" and event["by"] in ("library", "default"):
            return "the library acknowledges"
        return _WITHOUT_CODE.get(event.kind) or self.code(event)

    def code(self, event: Event) -> str:
        return f"`{self.excerpt(event.source)}`"

    def fate(self, fate: Fate, events: tuple[Event, ...]) -> str:
        codes = list(dict.fromkeys(self.code(events[p]) for p in fate.steps))
        happens = "happen" if len(codes) > 1 else "happens"
        return REASONS[fate.reason].format(steps=_listed(codes), happens=happens)


def _listed(codes: list[str]) -> str:
    more = [f"{len(codes) - _MOST_NAMED} more"] if len(codes) > _MOST_NAMED else []
    parts = codes[:_MOST_NAMED] + more
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)

"""What only several messages together show: reused ids, shared keys, broken order.

Everything remembered is bounded: at most twice `remember` entries of each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from contractlint.messages.decision import (
    Consumer,
    Contract,
    Decision,
    Message,
    Outcome,
    State,
    identity,
    is_ordered,
)
from contractlint.messages.fields import Fault
from contractlint.messages.recent import Recent
from contractlint.messages.roles import Facts, Roles
from contractlint.messages.sources import Content, Memory, Source, line_of

_FEWEST_RANDOM_KEYS = 3
# Versions 3 and 5 are derived from a name; these are drawn or read from a clock.
_FRESH_UUID_VERSIONS = "1467"


_NOTHING: tuple[Fault, ...] = ()


class IdHistory:
    """One id, one content. Kept are hashes and positions, so that little memory goes a long way."""

    def __init__(self, roles: Roles, memory: Memory, remember: int) -> None:
        self._pointer = roles.pointer("id")
        self._memory = memory
        self.first = Recent[int, int](remember).remember
        """Return where an id, told by its hash, was seen before, or remember its position."""

    def faults(self, facts: Facts, position: int, first: int) -> Iterator[Fault]:
        if not self._memory.same(first, position):
            check, line = "id-reused-with-different-content", line_of(first)
            text = f"the id {facts.id} stands for other content earlier"
            yield Fault(check, self._pointer, text, earlier=line)


class EffectKeyHistory:
    """One effect key, one kind of effect; and not a fresh key in every message."""

    def __init__(self, roles: Roles, source: Source, remember: int) -> None:
        self._pointer = roles.pointer("effect-key")
        self._recall = source.recall
        self._read_facts = roles.reader().read
        self._remember = Recent[int, int](remember).remember
        self._first_line = 0
        self._distinct = 0
        self._all_fresh = True

    def faults(self, facts: Facts, position: int) -> Iterable[Fault]:
        first = self._remember(hash(facts.effect_key), position)
        if first is not None:
            return self._shared(facts, first)
        if self._all_fresh:
            self._count(facts.effect_key, position)
        return _NOTHING

    def _shared(self, facts: Facts, first: int) -> Iterator[Fault]:
        kind, line = _kind_of_effect(facts), line_of(first)
        earlier = _kind_of_effect(self._read_facts(self._recall(first)))
        if kind != earlier:
            text = (
                f"the effect key {facts.effect_key} is the key of {kind} here "
                f"and of {earlier} earlier"
            )
            yield Fault("effect-key-shared", self._pointer, text, earlier=line)

    def _count(self, key: Any, position: int) -> None:
        self._first_line = self._first_line or line_of(position)
        self._distinct += 1
        self._all_fresh = _is_fresh_uuid(key)

    def finish(self) -> Iterator[Fault]:
        if self._all_fresh and self._distinct >= _FEWEST_RANDOM_KEYS:
            text = f"all {self._distinct} effect keys are fresh UUIDs, none can stop a repeat"
            yield Fault("random-effect-key", self._pointer, text, line=self._first_line)


def _kind_of_effect(facts: Facts) -> Any:
    return facts.kind if facts.effect_kind is None else facts.effect_kind


def _is_fresh_uuid(key: Any) -> bool:
    import uuid

    if not isinstance(key, str) or len(key) != 36 or key[14] not in _FRESH_UUID_VERSIONS:
        return False
    try:
        return str(uuid.UUID(key)) == key.lower()
    except ValueError:
        return False


class OrderHistory:
    """The decisions of a consumer over the whole stream, told as faults."""

    def __init__(self, roles: Roles, contract: Contract, remember: int) -> None:
        self._roles = roles
        self._partial = contract.starts_at_first
        self._some_wait = False
        self._last: Recent[Any, int] = Recent(remember)
        self._deferred: Recent[Any, dict[int, Message]] = Recent(remember)
        state = State(
            last=self._last,
            seen=Recent(remember),
            ledger=Recent(remember),
            taken=Recent(remember),
            compensations=Recent(remember),
            deferred=self._deferred,
            unknown=Recent(remember),
        )
        self.consumer = Consumer(contract, state)

    def goes_on(self, facts: Facts) -> bool:
        """Apply the next number of a key that waits for nothing; the common case, cheaply."""
        key, number = facts.sequence_key, facts.sequence
        if type(number) is not int or (self._some_wait and key in self._deferred):
            return False
        last = self._last.exchange(key, number)
        if last is None or last + 1 == number:
            return True
        self._last[key] = last
        return False

    def decisions(self, facts: Facts, content: Content) -> list[Decision]:
        message = Message(facts, content, line_of(content.position))
        decisions = list(self.consumer.receive(message))
        self._some_wait = self._some_wait or decisions[0].outcome is Outcome.GAP
        return decisions

    def faults(self, decision: Decision, replayed: list[Decision]) -> Iterator[Fault]:
        """Yield what is wrong about the message just decided on, which set `replayed` free."""
        facts = decision.message.facts
        if decision.outcome in _COMPENSATION_FAULTS:
            check, text = _COMPENSATION_FAULTS[decision.outcome]
            yield self._fault(check, "reason", text.format(facts=facts), decision)
        elif decision.outcome is Outcome.UNSUPPORTED_SCHEMA:
            text = f"version {facts.schema_version} of the payload is not known"
            yield self._fault("unsupported-schema", "schema-version", text, decision)
        elif decision.outcome is Outcome.CONFLICT:
            yield from self._conflict(decision)
        elif decision.outcome is Outcome.STALE:
            yield self._behind(facts, decision)
        elif decision.outcome is Outcome.APPLY and is_ordered(facts):
            yield from self._late(facts, replayed)

    def _conflict(self, decision: Decision) -> Iterator[Fault]:
        facts, earlier = decision.message.facts, decision.earlier
        # The same id with other content is IdHistory's to report.
        if earlier is not None and identity(earlier.facts) != identity(facts):
            text = f"number {facts.sequence} of {facts.sequence_key} is taken by {earlier.facts.id}"
            yield self._fault("version-conflict", "sequence", text, decision)

    def _behind(self, facts: Facts, decision: Decision) -> Fault:
        last = self.consumer.state.last[facts.sequence_key]
        check = "sequence-out-of-order" if self._partial else "stale-message"
        text = f"number {facts.sequence} of {facts.sequence_key} comes after number {last}"
        return self._fault(check, "sequence", text, decision)

    def _late(self, facts: Facts, replayed: list[Decision]) -> Iterator[Fault]:
        waiting = self.consumer.state.deferred.get(facts.sequence_key, {})
        overtook = [one.message for one in replayed] or [waiting[number] for number in waiting]
        if overtook:
            first = min(overtook, key=_line)
            text = (
                f"number {facts.sequence} of {facts.sequence_key} comes after "
                f"number {first.facts.sequence}"
            )
            pointer = self._roles.pointer("sequence")
            yield Fault("sequence-out-of-order", pointer, text, earlier=first.place)

    def finish(self) -> Iterator[Fault]:
        """Yield the gaps that nothing has closed."""
        state = self.consumer.state
        for key, waiting in state.deferred.items():
            awaited = (state.last.get(key) or 0) + 1
            for number in sorted(waiting):
                if number > awaited:
                    yield self._gap(key, awaited, number, waiting[number].place)
                awaited = number + 1

    def _gap(self, key: Any, awaited: int, number: int, line: int) -> Fault:
        missing = f"{awaited}" if awaited == number - 1 else f"{awaited}-{number - 1}"
        text = f"number {number} of {key} leaves a gap: {missing} missing, awaited is {awaited}"
        return Fault("sequence-gap", self._roles.pointer("sequence"), text, line=line)

    def _fault(self, check: str, role: str, text: str, decision: Decision) -> Fault:
        earlier = decision.earlier.place if decision.earlier else 0
        return Fault(check, self._roles.pointer(role), text, earlier=earlier)


def _line(message: Message) -> int:
    line: int = message.place
    return line


_COMPENSATION_FAULTS = {
    Outcome.REUSE: (
        "compensation-repeated",
        "{facts.sequence_key} is compensated for {facts.reason} a second time",
    ),
    Outcome.UNLISTED_REASON: (
        "compensation-reason-not-listed",
        "{facts.sequence_key} is compensated for {facts.reason}, which is not listed",
    ),
    Outcome.UNKNOWN_RESULT: (
        "compensation-after-unknown-result",
        "{facts.sequence_key} is compensated while the result of the effect is unknown",
    ),
    Outcome.OLD_VERSION: (
        "compensation-of-old-version",
        "{facts.sequence_key} is compensated for version {facts.compensates}, "
        "which is not its current one",
    ),
}

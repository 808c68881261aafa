"""What a correct consumer does with each message of a stream. Pure: no input, no output, no clock.

`decide` looks at one message and the state and changes nothing; `Consumer.receive` applies the
decision and replays what it sets free. A repeat and a gap never change the state; a gap stops only
its own key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, MutableMapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from contractlint.messages.roles import Facts


class Outcome(Enum):
    """The outcomes: first the name for tasks, then the name for events between services."""

    MISSING_IDENTITY = ("manual-review/missing-identity", "manual-review/missing-identity")
    UNSUPPORTED_SCHEMA = ("manual-review/unsupported-schema", "manual-review/unsupported-schema")
    DUPLICATE = ("duplicate-suppressed", "duplicate")
    STALE = ("stale-or-conflicting", "stale")
    CONFLICT = ("stale-or-conflicting", "conflict")
    GAP = ("manual-review/sequence-gap", "gap")
    APPLY = ("apply-and-record", "applied")
    CREATE_CANCELLED = ("create-cancelled", "create-cancelled")
    REUSE = ("reuse", "reuse")
    UNLISTED_REASON = ("manual-review/reason-not-listed", "manual-review/reason-not-listed")
    UNKNOWN_RESULT = ("manual-review/result-unknown", "manual-review/result-unknown")
    OLD_VERSION = ("manual-review/old-version", "manual-review/old-version")

    @property
    def for_task(self) -> str:
        return self.value[0]

    @property
    def for_event(self) -> str:
        return self.value[1]


_CHANGES_STATE = frozenset({Outcome.APPLY, Outcome.CREATE_CANCELLED})
_NOTHING = (None, "")
_UNKNOWN_KINDS = frozenset({"effect-result-unknown", "effect_result_unknown"})


class Message(NamedTuple):
    """One message: its facts, something equal exactly when the content is, and where it stands."""

    facts: Facts
    content: Any = None
    place: Any = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with `message`. `awaited`: the number a gap waits for. `earlier`: the message it
    repeats or contradicts, where the state still knows it."""

    message: Message
    outcome: Outcome
    awaited: int = 0
    earlier: Message | None = None
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """What the consumer accepts. None: anything.

    `starts_at_first`: the stream is cut out of a longer one, so the first number of a key is taken
    as it comes; otherwise a key starts after `State.last`, or after 0. `most_deferred` bounds how
    many messages of one key are kept for replay.
    """

    needs_effect_key: bool = False
    versions: Collection[Any] | None = None
    reasons: Collection[str] | None = None
    starts_at_first: bool = False
    most_deferred: int = 10_000


Identity = tuple[Any, Any]
CompensationKey = tuple[Any, Any, Any]


@dataclass(slots=True)
class State:
    """What the consumer remembers. Any mapping will do, also one that forgets old entries."""

    last: MutableMapping[Any, int] = field(default_factory=dict)
    seen: MutableMapping[Identity, Message] = field(default_factory=dict)
    ledger: MutableMapping[Any, Message] = field(default_factory=dict)
    taken: MutableMapping[tuple[Any, int], Message] = field(default_factory=dict)
    compensations: MutableMapping[CompensationKey, Message] = field(default_factory=dict)
    deferred: MutableMapping[Any, dict[int, Message]] = field(default_factory=dict)
    unknown: MutableMapping[Any, bool] = field(default_factory=dict)


def identity(facts: Facts) -> Identity:
    return (facts.source, facts.id)


def compensation_key(facts: Facts, version: Any) -> CompensationKey:
    """Return what makes a compensation the same one: object, version and reason."""
    return (facts.sequence_key, version, facts.reason)


def is_compensation(facts: Facts) -> bool:
    return facts.compensates is not None or facts.compensation_key is not None


def result_is_unknown(facts: Facts) -> bool:
    """Tell whether the message says that nobody knows if an effect took place."""
    reason = facts.reason if isinstance(facts.reason, str) else ""
    return facts.kind in _UNKNOWN_KINDS or "timeout" in reason or reason in _UNKNOWN_KINDS


def decide(message: Message, state: State, contract: Contract) -> Decision:
    """Return the one outcome of `message`; nothing is changed."""
    facts = message.facts
    if facts.id in _NOTHING or (contract.needs_effect_key and facts.effect_key in _NOTHING):
        return Decision(message, Outcome.MISSING_IDENTITY)
    if contract.versions is not None and facts.schema_version not in contract.versions:
        return Decision(message, Outcome.UNSUPPORTED_SCHEMA)
    earlier = state.seen.get(identity(facts))
    if earlier is not None:
        same = earlier.content == message.content
        return Decision(message, Outcome.DUPLICATE if same else Outcome.CONFLICT, earlier=earlier)
    if is_compensation(facts):
        return _decide_compensation(message, state, contract)
    return _decide_order(message, state, contract)


def _decide_order(message: Message, state: State, contract: Contract) -> Decision:
    facts = message.facts
    recorded = state.ledger.get(facts.effect_key) if facts.effect_key is not None else None
    if is_ordered(facts):
        last = last_applied(facts, state, contract)
        if facts.sequence > last + 1:
            return _decide_gap(message, state, last + 1)
        if facts.sequence <= last and recorded is None:
            taken = state.taken.get((facts.sequence_key, facts.sequence))
            return Decision(message, Outcome.CONFLICT if taken else Outcome.STALE, earlier=taken)
    if recorded is not None:
        return Decision(message, Outcome.DUPLICATE, earlier=recorded)
    return Decision(message, Outcome.APPLY)


def _decide_gap(message: Message, state: State, awaited: int) -> Decision:
    waiting = state.deferred.get(message.facts.sequence_key, {}).get(message.facts.sequence)
    if waiting is None or identity(waiting.facts) == identity(message.facts):
        return Decision(message, Outcome.GAP, awaited=awaited, earlier=waiting)
    return Decision(message, Outcome.CONFLICT, awaited=awaited, earlier=waiting)


def _decide_compensation(message: Message, state: State, contract: Contract) -> Decision:
    facts = message.facts
    if result_is_unknown(facts) or state.unknown.get(facts.sequence_key):
        return Decision(message, Outcome.UNKNOWN_RESULT)
    if contract.reasons is not None and facts.reason not in contract.reasons:
        return Decision(message, Outcome.UNLISTED_REASON)
    current = state.last.get(facts.sequence_key)
    version = current if facts.compensates is None else facts.compensates
    earlier = state.compensations.get(compensation_key(facts, version))
    if earlier is not None:
        return Decision(message, Outcome.REUSE, earlier=earlier)
    if version != current:
        return Decision(message, Outcome.OLD_VERSION)
    order = _decide_order(message, state, contract)
    return Decision(message, Outcome.CREATE_CANCELLED) if order.outcome is Outcome.APPLY else order


def is_ordered(facts: Facts) -> bool:
    return type(facts.sequence) is int and facts.sequence_key is not None


def last_applied(facts: Facts, state: State, contract: Contract) -> int:
    """Return the last number applied for the message's key."""
    last = state.last.get(facts.sequence_key)
    if last is not None:
        return last
    return int(facts.sequence) - 1 if contract.starts_at_first else 0


class Consumer:
    """Decides about messages one after the other and keeps the state."""

    def __init__(self, contract: Contract, state: State | None = None) -> None:
        self.contract = contract
        self.state = state if state is not None else State()

    def receive(self, message: Message) -> Iterator[Decision]:
        """Yield the decision about `message`, then those about the deferred ones it sets free."""
        decision = decide(message, self.state, self.contract)
        self._record(decision)
        yield decision
        if decision.outcome in _CHANGES_STATE:
            yield from self._replay(message.facts.sequence_key)

    def _replay(self, key: Any) -> Iterator[Decision]:
        waiting = self.state.deferred.get(key)
        while waiting:
            message = waiting.pop(self.state.last[key] + 1, None)
            if message is None:
                return
            decision = decide(message, self.state, self.contract)
            self._record(decision)
            yield Decision(
                message, decision.outcome, decision.awaited, decision.earlier, replayed=True
            )
        self.state.deferred.pop(key, None)

    def _record(self, decision: Decision) -> None:
        facts = decision.message.facts
        if decision.outcome is Outcome.GAP:
            waiting = self.state.deferred.setdefault(facts.sequence_key, {})
            if len(waiting) < self.contract.most_deferred:
                waiting.setdefault(facts.sequence, decision.message)
        elif decision.outcome in _CHANGES_STATE:
            self._apply(decision.message)

    def _apply(self, message: Message) -> None:
        facts, state = message.facts, self.state
        if is_compensation(facts):
            version = facts.compensates
            version = state.last.get(facts.sequence_key) if version is None else version
            state.compensations[compensation_key(facts, version)] = message
        state.seen[identity(facts)] = message
        if facts.effect_key is not None:
            state.ledger[facts.effect_key] = message
        if is_ordered(facts):
            state.last[facts.sequence_key] = facts.sequence
            state.taken[facts.sequence_key, facts.sequence] = message
        if facts.sequence_key is not None:
            self._note_unknown(facts)

    def _note_unknown(self, facts: Facts) -> None:
        if result_is_unknown(facts):
            self.state.unknown[facts.sequence_key] = True
        else:
            self.state.unknown.pop(facts.sequence_key, None)

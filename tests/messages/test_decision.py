"""What a correct consumer decides, and the laws it keeps for every stream."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contractlint.messages.decision import (
    Consumer,
    Contract,
    Decision,
    Message,
    Outcome,
    State,
    decide,
)
from contractlint.messages.roles import Facts


def event(number: int, key: str = "door", id: str = "", **more: object) -> Message:
    facts = Facts(id=id or f"{key}:{number}", sequence_key=key, sequence=number, **more)
    return Message(facts, content=facts)


def outcomes(consumer: Consumer, *messages: Message) -> list[Outcome]:
    return [one.outcome for message in messages for one in consumer.receive(message)]


def consumer(last: int = 0, **contract: object) -> Consumer:
    return Consumer(Contract(**contract), State(last={"door": last} if last else {}))


streams = st.lists(
    st.builds(event, st.integers(1, 6), st.sampled_from(["door", "gate"])), max_size=14
)


@given(streams)
def test_a_repeat_never_changes_the_state(stream: list[Message]) -> None:
    worker = consumer()
    for message in stream:
        list(worker.receive(message))
        before = copy.deepcopy(worker.state)
        list(worker.receive(message))
        assert worker.state == before


@given(streams)
def test_a_gap_never_changes_what_is_applied(stream: list[Message]) -> None:
    worker = consumer()
    for message in stream:
        before = copy.deepcopy(worker.state)
        decisions = list(worker.receive(message))
        if decisions[0].outcome is Outcome.GAP:
            assert len(decisions) == 1
            assert (worker.state.last, worker.state.seen) == (before.last, before.seen)
            assert worker.state.ledger == before.ledger


@given(streams)
def test_deciding_changes_nothing(stream: list[Message]) -> None:
    worker = consumer()
    for message in stream:
        before = copy.deepcopy(worker.state)
        decide(message, worker.state, worker.contract)
        assert worker.state == before
        list(worker.receive(message))


@given(streams)
def test_other_keys_are_of_no_concern(stream: list[Message]) -> None:
    def about(key: str, decisions: list[Decision]) -> list[tuple[object, Outcome]]:
        return [
            (one.message.facts.id, one.outcome)
            for one in decisions
            if one.message.facts.sequence_key == key
        ]

    together, alone = consumer(), consumer()
    mixed = [one for message in stream for one in together.receive(message)]
    own = [m for m in stream if m.facts.sequence_key == "door"]
    assert about("door", mixed) == about(
        "door", [one for message in own for one in alone.receive(message)]
    )


@given(st.permutations(range(1, 8)))
def test_replay_closes_every_gap(order: list[int]) -> None:
    worker = consumer()
    decisions = [one for number in order for one in worker.receive(event(number))]
    applied = [one.message.facts.sequence for one in decisions if one.outcome is Outcome.APPLY]
    assert applied == list(range(1, 8))
    assert not worker.state.deferred


@given(streams)
def test_numbers_are_applied_in_order_without_holes(stream: list[Message]) -> None:
    worker = consumer()
    applied: dict[object, list[object]] = {}
    for message in stream:
        for one in worker.receive(message):
            if one.outcome is Outcome.APPLY:
                facts = one.message.facts
                applied.setdefault(facts.sequence_key, []).append(facts.sequence)
    for numbers in applied.values():
        assert numbers == list(range(1, len(numbers) + 1))


def test_a_later_version_waits_for_the_earlier_one() -> None:
    worker = consumer(last=1)
    (gap,) = worker.receive(event(3))
    assert (gap.outcome, gap.awaited) == (Outcome.GAP, 2)
    second, third = worker.receive(event(2))
    assert (second.outcome, second.replayed) == (Outcome.APPLY, False)
    assert (third.outcome, third.replayed) == (Outcome.APPLY, True)
    assert outcomes(worker, event(3)) == [Outcome.DUPLICATE]
    assert worker.state.last == {"door": 3}


@pytest.mark.parametrize(
    ("facts", "contract", "outcome"),
    [
        (Facts(), {}, Outcome.MISSING_IDENTITY),
        (Facts(id=""), {}, Outcome.MISSING_IDENTITY),
        (Facts(id="a"), {"needs_effect_key": True}, Outcome.MISSING_IDENTITY),
        (Facts(id="a", schema_version=3), {"versions": [1, 2]}, Outcome.UNSUPPORTED_SCHEMA),
        (Facts(id="a"), {"versions": [1]}, Outcome.UNSUPPORTED_SCHEMA),
        (Facts(id="a", schema_version=2), {"versions": [1, 2]}, Outcome.APPLY),
        (Facts(id=0), {}, Outcome.APPLY),
    ],
)
def test_what_is_refused_at_once(
    facts: Facts, contract: dict[str, object], outcome: Outcome
) -> None:
    assert decide(Message(facts), State(), Contract(**contract)).outcome is outcome


def test_a_recorded_effect_is_not_made_again() -> None:
    worker = consumer(needs_effect_key=True)
    first = Message(Facts(id="a", effect_key="lamp:on"), content=1)
    again = Message(Facts(id="b", effect_key="lamp:on"), content=2)
    assert outcomes(worker, first, again) == [Outcome.APPLY, Outcome.DUPLICATE]


def test_a_number_that_is_behind() -> None:
    worker = consumer(last=4)
    assert outcomes(worker, event(5), event(2)) == [Outcome.APPLY, Outcome.STALE]
    assert outcomes(worker, event(5, id="other")) == [Outcome.CONFLICT]
    assert worker.state.last == {"door": 5}


def test_one_id_with_other_content_is_a_conflict() -> None:
    worker = consumer()
    assert outcomes(worker, event(1), event(1)._replace(content="other")) == [
        Outcome.APPLY,
        Outcome.CONFLICT,
    ]


def test_two_ids_that_wait_with_one_number_are_a_conflict() -> None:
    worker = consumer()
    assert outcomes(worker, event(3), event(3), event(3, id="other")) == [
        Outcome.GAP,
        Outcome.GAP,
        Outcome.CONFLICT,
    ]


def test_a_part_of_a_stream_starts_where_it_starts() -> None:
    worker = consumer(starts_at_first=True)
    assert outcomes(worker, event(8), event(9), event(11)) == [
        Outcome.APPLY,
        Outcome.APPLY,
        Outcome.GAP,
    ]


def undo(version: int, reason: str, id: str, number: int) -> Message:
    return event(number, id=id, compensates=version, reason=reason)


LISTED = {"reasons": ["jammed"]}


def test_a_compensation_is_created_once() -> None:
    worker = consumer(last=2, **LISTED)
    first = undo(2, "jammed", "undo-1", 3)
    assert outcomes(worker, first) == [Outcome.CREATE_CANCELLED]
    before = copy.deepcopy(worker.state)
    assert outcomes(worker, undo(2, "jammed", "undo-2", 4), first) == [
        Outcome.REUSE,
        Outcome.DUPLICATE,
    ]
    assert worker.state == before


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        (undo(2, "slow", "u", 3), Outcome.UNLISTED_REASON),
        (undo(1, "jammed", "u", 3), Outcome.OLD_VERSION),
        (undo(2, "provider-timeout", "u", 3), Outcome.UNKNOWN_RESULT),
        (undo(2, "jammed", "u", 4), Outcome.GAP),
    ],
)
def test_what_is_not_compensated(message: Message, outcome: Outcome) -> None:
    worker = consumer(last=2, **LISTED)
    before = copy.deepcopy(worker.state.last)
    assert outcomes(worker, message) == [outcome]
    assert worker.state.last == before


def test_a_timeout_is_never_compensated_even_when_listed() -> None:
    worker = consumer(last=2, reasons=["unknown-timeout"])
    assert outcomes(worker, undo(2, "unknown-timeout", "u", 3)) == [Outcome.UNKNOWN_RESULT]


def test_nothing_is_compensated_while_a_result_is_unknown() -> None:
    worker = consumer(last=2, **LISTED)
    unknown = event(3, kind="effect-result-unknown")
    settled = event(4, kind="jam-reported")
    assert outcomes(worker, unknown, undo(3, "jammed", "u", 4)) == [
        Outcome.APPLY,
        Outcome.UNKNOWN_RESULT,
    ]
    assert outcomes(worker, settled, undo(4, "jammed", "v", 5)) == [
        Outcome.APPLY,
        Outcome.CREATE_CANCELLED,
    ]


@given(streams, st.integers(1, 6))
def test_no_stream_compensates_twice(stream: list[Message], version: int) -> None:
    worker = consumer()
    for message in stream:
        list(worker.receive(message))
    attempts = [undo(version, "jammed", f"undo-{number}", number) for number in range(1, 9)]
    created = outcomes(worker, *attempts).count(Outcome.CREATE_CANCELLED)
    assert created <= 1

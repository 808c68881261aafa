"""What the fast path lets pass, the checks behind it have nothing to say about."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contractlint.messages.history import OrderHistory
from contractlint.messages.recent import Recent
from contractlint.messages.run import FileRun, Tally
from contractlint.messages.settings import Wishes, make_settings
from contractlint.messages.sources import Source

ROLES = {
    "id": "/id",
    "effect-key": "/key",
    "sequence-key": "/of",
    "sequence": "/n",
    "schema-version": "/data/version",
    "time": "/at",
}
SETTINGS = {
    "envelope": make_settings(Path(), {}, Wishes()),
    "cloudevents": make_settings(Path(), {}, Wishes(profile="cloudevents")),
    "roles": make_settings(Path(), {"roles": ROLES}, Wishes()),
}

ODD = st.sampled_from(
    [None, "", "m-1", 1, 0, 1.5, True, [], {}, 2**60, float("nan"), '{"a": 1}', 'say "a":', "п"]
)
TIMES = st.sampled_from(
    ["2030-01-31T08:00:00Z", "2030-01-31T08:00:00", "2030-01-31T08:00:00+01:00"]
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("id", "kind", "effectKey", "sequenceKey", "sequence", "attempt"), ODD),
        **dict.fromkeys(("key", "of", "n", "source", "type", "deliveryTag"), ODD),
        **dict.fromkeys(("time", "at"), TIMES | ODD),
        "specversion": st.just("1.0") | ODD,
        "payload": st.fixed_dictionaries({}, optional={"schema": ODD, "note": ODD}) | ODD,
        "data": st.fixed_dictionaries({}, optional={"version": ODD}) | ODD,
    },
)
PLAIN = {"id": "m-2", "kind": "k", "effectKey": "e", "payload": {"schema": "1"}}


def run_over(line: bytes, name: str) -> FileRun:
    return FileRun("a.jsonl", Source(BytesIO(line), ".jsonl"), SETTINGS[name])


@pytest.mark.parametrize("name", SETTINGS)
@given(
    message=st.one_of(MESSAGES, MESSAGES.map(lambda odd: {**odd, **PLAIN})),
    escaped=st.booleans(),
    doubled=st.sampled_from(["", '"id": "m-3", ', '"data" : {"version":1}, ']),
)
def test_who_passes_has_no_fault(name, message, escaped, doubled):
    text = json.dumps(message, ensure_ascii=escaped)
    line = f"{{{doubled}{text[1:]}".encode() if message else b"{}"
    run = run_over(line, name)
    (item,) = run._source.items()
    facts = run._read_facts(item.value)
    if run._is_fine(item, facts):
        assert list(run._faults_of_one(item, facts)) == []


@pytest.mark.parametrize("escaped", [True, False])
def test_a_good_message_passes(escaped):
    run = run_over(json.dumps({**PLAIN, "note": "пять"}, ensure_ascii=escaped).encode(), "envelope")
    (item,) = run._source.items()
    assert run._is_fine(item, run._read_facts(item.value))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 5)), max_size=12))
def test_what_goes_on_is_what_a_consumer_applies(numbers):
    """With and without the short cut the same lines are out of order, and the same gaps stay."""
    lines = [
        {**PLAIN, "id": f"m-{count}", "effectKey": f"e-{count}", "sequenceKey": key, "sequence": n}
        for count, (key, n) in enumerate(numbers)
    ]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()

    def faulty_lines() -> list[int]:
        events = run_over(data, "envelope").events(Tally())
        return [event.line for event in events]

    short = faulty_lines()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OrderHistory, "goes_on", lambda self, facts: False)
        assert faulty_lines() == short


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers()), max_size=30), st.integers(1, 4))
def test_exchange_reads_and_writes(pairs, size):
    one, other = Recent(size), Recent(size)
    for key, value in pairs:
        known = other.get(key)
        other[key] = value
        assert one.exchange(key, value) == known
        assert dict(one) == dict(other)

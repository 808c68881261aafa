"""What the fast path lets pass, the checks behind it have nothing to say about."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
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
TIME = "2030-01-31T08:00:00Z"
TASK = {"id": "m-1", "kind": "k", "effectKey": "e", "payload": {"schema": "1"}, "time": TIME}
GOOD = {
    "envelope": TASK,
    "cloudevents": {"specversion": "1.0", "id": "m-1", "source": "/s", "type": "t", "time": TIME},
    "roles": {"id": "m-1", "key": "e", "data": {"version": 1}, "at": TIME},
}
ORDER = ["sequenceKey", "sequence", "subject", "orderversion", "of", "n"]
NAMES = {name: [*good, *ORDER, "note", "deliveryTag"] for name, good in GOOD.items()}


def changes(names: list[str]) -> st.SearchStrategy[dict[str, object]]:
    inner = st.fixed_dictionaries({}, optional={"schema": ODD, "version": ODD})
    return st.dictionaries(st.sampled_from(names), ODD | TIMES | inner, max_size=2)


def run_over(line: bytes, name: str) -> FileRun:
    return FileRun("a.jsonl", Source(BytesIO(line), ".jsonl"), SETTINGS[name])


@pytest.mark.parametrize("name", SETTINGS)
@given(data=st.data(), escaped=st.booleans())
@settings(max_examples=400, deadline=None)
def test_who_passes_has_no_fault(name, data, escaped):
    changed = data.draw(changes(NAMES[name]))
    without = data.draw(st.sampled_from(["", *GOOD[name]]))
    doubled = data.draw(st.sampled_from(["", '"id": "m-3", ', '"data" : {"version":1}, ']))
    kept = {member: value for member, value in GOOD[name].items() if member != without}
    text = json.dumps({**kept, **changed}, ensure_ascii=escaped)
    run = run_over(f"{{{doubled}{text[1:]}".encode(), name)
    (item,) = run._source.items()
    facts = run._read_facts(item.value)
    if run._is_fine(item, facts):
        assert list(run._faults_of_one(item, facts)) == []


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("escaped", [True, False])
def test_a_good_message_passes(name, escaped):
    run = run_over(json.dumps({**GOOD[name], "note": "пять"}, ensure_ascii=escaped).encode(), name)
    (item,) = run._source.items()
    assert run._is_fine(item, run._read_facts(item.value))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 5)), max_size=12))
def test_what_goes_on_is_what_a_consumer_applies(numbers):
    """With and without the short cut the same lines are out of order, and the same gaps stay."""
    lines = [
        {**TASK, "id": f"m-{count}", "effectKey": f"e-{count}", "sequenceKey": key, "sequence": n}
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


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(1, 4))
def test_what_is_remembered(keys, size):
    """The keys written last are known with their first value; never are there too many."""
    recent, first = Recent(size), {}
    for position, key in enumerate(keys):
        told = recent.remember(key, position)
        latest = list(dict.fromkeys(reversed(keys[:position])))[:size]
        if key in latest:
            assert told == first[key]
        if told is None:
            first[key] = position
        assert len(recent) <= 2 * size

"""The two reference chains in every order: what breaks the contract is caught, and only that.

What is legal is said here once more, in plain words and without patterns.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contractlint.journal.mapping import make_mapping
from contractlint.journal.run import JournalTally, Settings, run
from contractlint.rules.catalog import bundled_rules
from contractlint.rules.findings import compile_rules

HERE = Path(__file__).parents[2] / "examples" / "journals"
LIMIT = 3
CODES = frozenset(rule.code for rule in bundled_rules() if rule.default or rule.preview)
CHECKS = {rule.name: rule for rule in bundled_rules() if not rule.searched}
SETTINGS = Settings(make_mapping({}, LIMIT), compile_rules(bundled_rules(), CODES), CHECKS, CODES)


def chain(name):
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text().splitlines()]


RETRIED, POISON = chain("retried"), chain("poison")


def deliveries_of(lines):
    """The chain cut at each delivery; what stands before the first one comes in a first part."""
    parts = [[]]
    for line in lines:
        if line["event"] == "received":
            parts.append([])
        parts[-1].append(line)
    return parts


def is_legal(lines):
    before, *deliveries = deliveries_of(lines)
    numbers = [delivery[0]["attempt"] for delivery in deliveries]
    return (
        not before
        and numbers == list(range(1, len(numbers) + 1))
        and len(numbers) <= LIMIT
        and all(map(_is_legal_delivery, deliveries))
        and _results_are_safe(deliveries)
        and _quarantine_is_the_end(deliveries)
    )


def _is_legal_delivery(delivery):
    attempt = delivery[0]["attempt"]
    events = [line["event"] for line in delivery[1:]]
    settled = [one for one in events if one in ("ack_sent", "nack_sent")]
    return (
        all(line.get("attempt", attempt) == attempt for line in delivery)
        # Settled once at most, and last.
        and len(settled) <= 1
        and (not settled or events[-1] == settled[0])
        # At the limit nothing is put back.
        and not (attempt == LIMIT and any(line.get("requeue") for line in delivery))
    )


def _results_are_safe(deliveries):
    """No acknowledgement before the job has a result."""
    saved = False
    for line in itertools.chain(*deliveries):
        saved = saved or line["event"] == "result_saved"
        if line["event"] == "ack_sent" and not saved:
            return False
    return True


def _quarantine_is_the_end(deliveries):
    """Rejected for good only after the quarantine; after it nothing but that."""
    lines = list(itertools.chain(*deliveries))
    quarantined = next((n for n, line in enumerate(lines) if line["event"] == "quarantined"), None)
    rejected = next((n for n, line in enumerate(lines) if line.get("requeue") is False), None)
    if quarantined is None:
        return rejected is None
    rest = lines[quarantined + 1 :]
    return (rejected is None or quarantined < rejected) and all(
        line.get("requeue") is False for line in rest
    )


def faults(lines, folder):
    file = folder / "journal.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return [(one.code, one.line) for one in run([str(file)], SETTINGS, JournalTally())]


def test_the_chains_themselves_are_legal_and_pass(tmp_path):
    for lines in (RETRIED, POISON):
        assert is_legal(lines)
        assert faults(lines, tmp_path) == []


def test_a_chain_that_is_cut_off_anywhere_passes(tmp_path):
    for lines in (RETRIED, POISON):
        for end in range(len(lines)):
            assert faults(lines[:end], tmp_path) == []


def test_a_journal_that_begins_at_the_third_attempt_passes(tmp_path):
    assert faults(POISON[6:], tmp_path) == []


def test_every_order_of_the_retried_chain(tmp_path):
    legal = 0
    for lines in itertools.permutations(RETRIED):
        found = faults(lines, tmp_path)
        assert bool(found) is not is_legal(lines), (lines, found)
        legal += not found
    # The result may be saved by either delivery, before or after the retry is scheduled.
    assert legal == 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("orders")


@settings(max_examples=300, deadline=None)
@given(order=st.permutations(POISON))
def test_any_order_of_the_poison_chain(order, folder):
    found = faults(order, folder)
    assert bool(found) is not is_legal(order), (order, found)


@settings(max_examples=300, deadline=None)
@given(swaps=st.lists(st.integers(0, len(POISON) - 2), min_size=1, max_size=3))
def test_neighbours_of_the_poison_chain_change_places(swaps, folder):
    """Random orders are wrong in many ways at once; these are wrong in one or two."""
    lines = list(POISON)
    for place in swaps:
        lines[place], lines[place + 1] = lines[place + 1], lines[place]
    found = faults(lines, folder)
    assert bool(found) is not is_legal(lines), (lines, found)


@settings(max_examples=150, deadline=None)
@given(order=st.permutations(range(len(RETRIED) + len(POISON))))
def test_jobs_that_are_mixed_do_not_disturb_each_other(order, folder):
    """Any interleaving of the two chains that keeps each one's own order passes."""
    rows = [iter(RETRIED), iter(POISON)]
    mixed = [next(rows[number >= len(RETRIED)]) for number in order]
    assert faults(mixed, folder) == []

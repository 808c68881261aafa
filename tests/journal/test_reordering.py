"""The two reference chains in every order: what breaks the contract is caught, and only that.

What is legal is said here once more, in plain words and without patterns.
"""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contractlint.journal.run import JournalTally, run
from tests.journal.reference_chains import POISON, RETRIED, SETTINGS, is_legal


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

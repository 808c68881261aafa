"""Numbers and strings that the search proposes."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contractlint.messages.producer.numbers import contains, fractions, integers
from contractlint.messages.producer.strings import candidates, pattern_samples
from contractlint.messages.producer.terms import Multiple, Range, Text, value_key

bounds = st.builds(
    Range,
    st.none() | st.fractions(-9, 9, max_denominator=4),
    st.none() | st.fractions(-9, 9, max_denominator=4),
    st.booleans(),
    st.booleans(),
)
multiples = st.builds(
    Multiple, st.sampled_from([Fraction(1), Fraction(2), Fraction(3, 2)]), st.booleans()
)


def obeys(value: Fraction, ranges: list[Range], facts: list[Multiple]) -> bool:
    divides = all(((value / fact.of).denominator == 1) is fact.holds for fact in facts)
    return divides and all(contains(one, value) for one in ranges)


@given(st.lists(bounds, max_size=2), st.lists(multiples, max_size=2))
def test_integers_obey_and_a_complete_list_misses_none(
    ranges: list[Range], facts: list[Multiple]
) -> None:
    found = integers(ranges, facts, 0)
    assert all(obeys(Fraction(number), ranges, facts) for number in found.numbers)
    if found.complete:
        expected = {n for n in range(-20, 21) if obeys(Fraction(n), ranges, facts)}
        assert set(found.numbers) == expected


@given(st.lists(bounds, max_size=2), st.lists(multiples, max_size=2))
def test_fractions_obey_and_a_complete_list_misses_none(
    ranges: list[Range], facts: list[Multiple]
) -> None:
    found = fractions(ranges, facts)
    assert all(number != int(number) for number in found.numbers)
    if found.complete:
        grid = (Fraction(n, 12) for n in range(-240, 241))
        assert not [v for v in grid if v.denominator != 1 and obeys(v, ranges, facts)]


@pytest.mark.parametrize(
    "pattern",
    [
        "^[A-Z]{3}-\\d{4}$",
        "^(red|green)$",
        "^[^a]b?$",
        "^\\w+@\\w+\\.org$",
        "^(?:a|b){2,}$",
        "^x.y$",
        "^urn:[a-z]+:\\S+$",
    ],
)
def test_a_pattern_has_samples_that_match(pattern: str) -> None:
    assert any(re.search(pattern, text) for text in pattern_samples(pattern))
    assert next(candidates([Text("pattern", pattern)], 0, None), None) is not None


@pytest.mark.parametrize("pattern", ["(", "a{1,2", "(?P<x", "^(a{1000}){1000}$"])
def test_an_unreadable_or_endless_pattern_has_no_match(pattern: str) -> None:
    assert all(len(text) <= 10_000 for text in pattern_samples(pattern))


def test_both_of_two_patterns_and_a_length() -> None:
    tests = [Text("pattern", "^a"), Text("pattern", "b$"), Text("pattern", "^ab$", holds=False)]
    found = next(candidates(tests, 0, 6), None)
    assert found is None or (found[0] == "a" and found[-1] == "b" and found != "ab")


@pytest.mark.parametrize("format_name", ["date-time", "date", "email", "uuid", "ipv6"])
def test_formats_have_members_and_strangers(format_name: str) -> None:
    assert next(candidates([Text("format", format_name)], 0, None), None) is not None
    assert next(candidates([Text("format", format_name, holds=False)], 0, None), None) is not None


def test_equal_values_have_equal_keys() -> None:
    assert value_key(1) == value_key(1.0)
    assert value_key({"a": [1.0], "b": 2}) == value_key({"b": 2, "a": [1]})
    assert len({value_key(v) for v in (1, "1", True, None, [1], {}, [], "true", "null")}) == 9

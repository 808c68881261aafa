"""Strings that pass tests: samples of a regular expression, of a format, of a length."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from contractlint.messages.producer.terms import Text

try:
    from re import _parser as regex_parser  # type: ignore[attr-defined]  # the stubs leave it out
except ImportError:  # Python 3.10
    import sre_parse as regex_parser

_SAMPLES = {
    "date-time": "2030-01-31T08:00:00Z",
    "date": "2030-01-31",
    "time": "08:00:00Z",
    "duration": "P1D",
    "email": "a@example.org",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/a",
    "uri-reference": "/a",
    "uuid": "11111111-2222-4333-8444-555555555555",
    "json-pointer": "/a",
}
_PLAIN = ("a", "", "A", "1", "0", "-", " ", "_", "ab", "a1", "1.0", "a b", "é", "%", "a.b", "a-b")
_MOST_REPEATS = 3
_LONGEST = 10_000
_TRIES = 24


def candidates(tests: Sequence[Text], low: int, high: int | None, skip: int = 0) -> Iterator[str]:
    """Yield strings of `low` to `high` characters that pass all `tests`, simple ones first.

    `skip` of them may be of no use to the caller.
    """
    if low > _LONGEST:
        return
    seen: set[str] = set()
    for text in _pool(tests, low, skip):
        if text in seen or len(text) < low or (high is not None and len(text) > high):
            continue
        seen.add(text)
        if all(passes(test, text) for test in tests):
            yield text


def is_impossible(tests: Sequence[Text], low: int, high: int | None) -> bool:
    """Tell whether surely no string passes; False proves nothing."""
    wanted = {(test.keyword, test.value) for test in tests if test.holds}
    refused = {(test.keyword, test.value) for test in tests if not test.holds}
    return (high is not None and low > high) or not wanted.isdisjoint(refused)


def _pool(tests: Sequence[Text], low: int, skip: int) -> Iterator[str]:
    wanted = [test for test in tests if test.holds]
    for test in wanted:
        yield from _examples(test)
    for text in (*_PLAIN, *(_SAMPLES.values() if tests else ())):
        yield text
        yield text.ljust(low, "a")
    for test in tests:
        yield from _examples(test)
    yield from (letter * low for letter in "abcdefghij"[: low and 10])
    yield from (f"a{number}" for number in range(skip + _TRIES))


def _examples(test: Text) -> Iterator[str]:
    if test.keyword == "format":
        yield from [_SAMPLES[test.value]] if test.value in _SAMPLES else []
    else:
        yield from pattern_samples(test.value)


@lru_cache(maxsize=1024)
def _checker(keyword: str, value: str) -> Any:
    import jsonschema_rs

    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=10_000)
    try:
        return jsonschema_rs.Draft202012Validator(
            {keyword: value}, validate_formats=True, pattern_options=options
        )
    except (ValueError, jsonschema_rs.ValidationError):
        return None


def passes(test: Text, text: str) -> bool:
    """Tell whether the validator gives `text` the answer that `test` wants."""
    checker = _checker(test.keyword, test.value)
    try:
        return checker is not None and checker.is_valid(text) is test.holds
    except (ValueError, UnicodeEncodeError):
        return False


@lru_cache(maxsize=1024)
def pattern_samples(pattern: str) -> tuple[str, ...]:
    """Return some strings that probably match `pattern`; none when it cannot be read."""
    try:
        tree = regex_parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return ()
    chooser = random.Random(pattern)
    texts = []
    for attempt in range(_TRIES):
        try:
            texts.append("".join(_sample(tree, chooser, attempt)))
        except (RecursionError, ValueError):
            break
    return tuple(dict.fromkeys(texts))


def _sample(tree: Any, chooser: random.Random, extra: int) -> Iterator[str]:
    """Yield the parts of one match; `extra` 0 takes the first and shortest way everywhere."""
    length = 0
    for operation, argument in tree:
        for part in _part(str(operation), argument, chooser, extra):
            length += len(part)
            if length > _LONGEST:
                raise ValueError("the sample grows too long")
            yield part


def _part(operation: str, argument: Any, chooser: random.Random, extra: int) -> Iterator[str]:
    if operation == "LITERAL":
        yield chr(argument)
    elif operation in ("NOT_LITERAL", "ANY"):
        refused = {argument} if operation == "NOT_LITERAL" else set()
        yield next(letter for letter in "a1-" if ord(letter) not in refused)
    elif operation == "IN":
        yield _from_set(argument, chooser, extra)
    elif operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        low, high, inner = argument
        times = low + (chooser.randint(0, _MOST_REPEATS) if extra else 0)
        for _ in range(min(times, int(high))):
            yield from _sample(inner, chooser, extra)
    elif operation == "BRANCH":
        ways = argument[1]
        yield from _sample(chooser.choice(ways) if extra else ways[0], chooser, extra)
    elif operation == "SUBPATTERN":
        yield from _sample(argument[-1], chooser, extra)
    elif operation == "ATOMIC_GROUP":
        yield from _sample(argument, chooser, extra)


_CATEGORIES = {"DIGIT": "1234567890", "WORD": "ab1_", "SPACE": " "}


def _from_set(members: Any, chooser: random.Random, extra: int) -> str:
    first = str(members[0][0])
    if first == "NEGATE":
        refused = set(_letters(members[1:], limit=256))
        return next((letter for letter in "a1-_ .A~é" if letter not in refused), "a")
    letters = _letters(members, limit=64)
    return chooser.choice(letters) if extra else letters[0]


def _letters(members: Any, limit: int) -> list[str]:
    found: list[str] = []
    for kind, value in members:
        if str(kind) == "LITERAL":
            found.append(chr(value))
        elif str(kind) == "RANGE":
            found += [chr(code) for code in range(value[0], min(value[1], value[0] + limit) + 1)]
        elif str(kind) == "CATEGORY":
            name = str(value).removeprefix("CATEGORY_")
            found += _CATEGORIES.get(name, "-a" if name == "NOT_DIGIT" else "-.~")
    return found or ["a"]

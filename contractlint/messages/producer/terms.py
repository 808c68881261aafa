"""The words in which the search speaks of one value: claims about schemas, and plain facts.

A fact about a type says nothing about values of other types, as keywords do in JSON Schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Union

from contractlint.messages.producer.nodes import Node

ALL_TYPES = frozenset(["object", "array", "string", "integer", "fraction", "boolean", "null"])
NUMBERS = frozenset({"integer", "fraction"})


@dataclass(frozen=True, slots=True)
class Claim:
    """The value satisfies the subschema (`holds`), or does not."""

    node: Node
    holds: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """At least one of the alternatives; all terms of an alternative are true together."""

    alternatives: tuple[tuple[Term, ...], ...]


@dataclass(frozen=True, slots=True)
class Types:
    allowed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Values:
    """The value is one of these, or none of these. Built by `values`."""

    known: frozenset[str]
    among: bool
    table: Mapping[str, Any] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class Multiple:
    of: Fraction
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Size:
    """Length of a string, an array or an object, which `type` names."""

    type: str
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """The string passes a test: `keyword` is "pattern" or "format"."""

    keyword: str
    value: str
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Has:
    name: str


@dataclass(frozen=True, slots=True)
class Lacks:
    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """If the object has `name`, its value obeys the terms."""

    name: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Members:
    """Every member obeys the terms whose name is not in `names` and, as `matching` says, matches
    one of `patterns` or none of them."""

    names: frozenset[str]
    patterns: tuple[str, ...]
    matching: bool
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SomeMember:
    """There is a member whose name obeys `name_terms` and is not in `names`, with such a value."""

    names: frozenset[str]
    name_terms: tuple[Term, ...]
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Every name of the object obeys the terms."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """The items from `start` on, before `stop`, obey the terms."""

    start: int
    stop: int | None
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SomeItem:
    """At least `count` items from `start` on, before `stop`, obey the terms."""

    start: int
    terms: tuple[Term, ...]
    count: int = 1
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Distinct:
    holds: bool


@dataclass(frozen=True, slots=True)
class Declares:
    """The writer knows these names here; it writes no others. `any_name`: it writes a map."""

    names: frozenset[str]
    patterns: tuple[str, ...]
    any_name: bool


Fact = Union[  # noqa: UP007 - a runtime union of names that are not evaluated yet
    Types, Values, Range, Multiple, Size, Text, Has, Lacks, Member, Members, SomeMember, Names,
    Items, SomeItem, Distinct, Declares,
]  # fmt: skip
Term = Union[Claim, Choice, Fact]  # noqa: UP007 - as above


def value_key(value: Any) -> str:
    """Return a text that is equal exactly for values that JSON Schema calls equal."""
    if isinstance(value, str):
        return f'"{value}'
    if type(value) is int:
        return str(value)
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(below) for name, below in value.items()}
    return value


def values(listed: Iterable[Any], among: bool) -> Values:
    """Return the fact that the value is (or is not) one of `listed`."""
    table = {value_key(value): value for value in listed}
    return Values(frozenset(table), among, table)


def type_of(value: Any) -> str:
    """Return which of `ALL_TYPES` a JSON value has; 1.0 is an integer."""
    if value is None:
        return "null"
    for python, name in ((bool, "boolean"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, python):
            return name
    return "integer" if value == int(value) else "fraction"

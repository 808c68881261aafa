"""The ways in which a subschema rejects a value, and how they are written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import (
    NUMBERS,
    Claim,
    Term,
    Types,
)


class _Place(Enum):
    SAME_VALUE = "same value"
    ITEMS = "items"


SAME_VALUE, ITEMS = _Place.SAME_VALUE, _Place.ITEMS
Where = str | _Place | None
Terms = tuple[Term, ...]
Outer = Callable[[Terms], Terms]


@dataclass(frozen=True, slots=True)
class Failure:
    """One way in which a subschema rejects a value.

    `pointer` is the place to name, in the document of `node`. `inner`: the subschema that rejects
    something, and `outer`: what is true of the whole value when terms are true of that something.
    `member` says where that something is: a name, any of the ITEMS, the SAME_VALUE, or None for
    places that only some values have.
    `missing`: the member whose absence is the failure.
    """

    node: Node
    pointer: str
    terms: tuple[Term, ...]
    inner: Node | None = None
    outer: Outer | None = None
    member: Where = None
    missing: str | None = None


TrueOf = Callable[[Node, Any], list[Term]]
FalseOf = Callable[[Node, Any], Iterator[Failure]]


def only(kind: str) -> Types:
    """Return that the value has this type of JSON Schema."""
    return Types(NUMBERS if kind == "number" else frozenset({kind}))


def through(node: Node, inner: Node, outer: Outer, member: Where = None) -> Failure:
    """Return the failure that is a failure of `inner`."""
    return Failure(node, inner.pointer, outer((Claim(inner, False),)), inner, outer, member)


def failing(node: Node, keyword: str, *terms: Term) -> Failure:
    """Return the failure of a keyword that `terms` describe."""
    return Failure(node, f"{node.pointer}/{keyword}", terms)


def and_then(context: Terms, terms: Terms) -> Terms:
    """Return `terms` where `context` is true as well."""
    return (*context, *terms)

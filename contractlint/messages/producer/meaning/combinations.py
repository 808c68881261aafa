"""Keywords that combine subschemas about the same value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from contractlint.messages.producer.meaning.failures import (
    SAME_VALUE,
    Failure,
    FalseOf,
    TrueOf,
    and_then,
    failing,
    through,
)
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import (
    Choice,
    Claim,
    Term,
)

MOST_PAIRS = 200


def _all_true(node: Node, value: Any) -> list[Term]:
    return [Claim(node.child("allOf", index), True) for index in range(len(value))]


def _all_false(node: Node, value: Any) -> Iterator[Failure]:
    for index in range(len(value)):
        yield through(node, node.child("allOf", index), tuple, SAME_VALUE)


def _any_true(node: Node, value: Any) -> list[Term]:
    return [Choice(tuple((Claim(node.child("anyOf", i), True),) for i in range(len(value))))]


def _any_false(node: Node, value: Any) -> Iterator[Failure]:
    none = [Claim(node.child("anyOf", index), False) for index in range(len(value))]
    yield failing(node, "anyOf", *none)


def _one_true(node: Node, value: Any) -> list[Term]:
    inner = [node.child("oneOf", index) for index in range(len(value))]
    return [Choice(tuple(tuple(Claim(n, n is m) for n in inner) for m in inner))]


def _one_false(node: Node, value: Any) -> Iterator[Failure]:
    inner = [node.child("oneOf", index) for index in range(len(value))]
    yield failing(node, "oneOf", *(Claim(one, False) for one in inner))
    pairs = [(one, other) for at, one in enumerate(inner) for other in inner[:at]]
    for one, other in pairs[:MOST_PAIRS]:
        yield failing(node, "oneOf", Claim(one, True), Claim(other, True))


def _not_true(node: Node, value: Any) -> list[Term]:
    return [Claim(node.child("not"), False)]


def _not_false(node: Node, value: Any) -> Iterator[Failure]:
    yield failing(node, "not", Claim(node.child("not"), True))


def _if_true(node: Node, value: Any) -> list[Term]:
    condition = node.child("if")
    sides = []
    for keyword, holds in (("then", True), ("else", False)):
        follows = (Claim(node.child(keyword), True),) if keyword in node.contents else ()
        sides.append((Claim(condition, holds), *follows))
    return [Choice(tuple(sides))] if {"then", "else"} & node.contents.keys() else []


def _if_false(node: Node, value: Any) -> Iterator[Failure]:
    for keyword, holds in (("then", True), ("else", False)):
        if keyword in node.contents:
            context = (Claim(node.child("if"), holds),)
            yield through(node, node.child(keyword), partial(and_then, context))


def _ref_true(node: Node, value: Any) -> list[Term]:
    target = node.target()
    return [Claim(target, True)] if target else []


def _ref_false(node: Node, value: Any) -> Iterator[Failure]:
    target = node.target()
    if target:
        yield through(node, target, tuple, SAME_VALUE)


def in_place(node: Node) -> Iterator[Node]:
    """Yield the subschemas that `node` applies to the same value."""
    keywords = {} if isinstance(node.contents, bool) else node.keywords()
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from (node.child(keyword, index) for index in range(len(keywords.get(keyword, ()))))
    yield from (node.child(word) for word in ("if", "then", "else", "not") if word in keywords)
    for keyword in ("dependentSchemas", "dependencies"):
        for name, below in keywords.get(keyword, {}).items():
            if not isinstance(below, list):
                yield node.child(keyword, name)
    target = node.target() if "$ref" in keywords else None
    if target:
        yield target


TRUE: dict[str, TrueOf] = {
    "allOf": _all_true,
    "anyOf": _any_true,
    "oneOf": _one_true,
    "not": _not_true,
    "if": _if_true,
    "$ref": _ref_true,
}

FALSE: dict[str, FalseOf] = {
    "allOf": _all_false,
    "anyOf": _any_false,
    "oneOf": _one_false,
    "not": _not_false,
    "if": _if_false,
    "$ref": _ref_false,
}

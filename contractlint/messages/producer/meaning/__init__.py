"""What a subschema says about a value: the terms of its truth, and the ways it can be false.

Keywords without an entry in these tables (annotations, unknown names) say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from contractlint.messages.producer.meaning import combinations, items, members, scalars
from contractlint.messages.producer.meaning.combinations import in_place
from contractlint.messages.producer.meaning.failures import (
    ITEMS,
    SAME_VALUE,
    Failure,
    FalseOf,
    Outer,
    Terms,
    TrueOf,
    Where,
)
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import Choice, Term, Types

__all__ = [
    "ITEMS",
    "SAME_VALUE",
    "Failure",
    "Outer",
    "Where",
    "failures_of",
    "in_place",
    "is_partial",
    "terms_of",
]

_GROUPS = (scalars, members, items, combinations)
_TRUE: dict[str, TrueOf] = {word: true for group in _GROUPS for word, true in group.TRUE.items()}
_FALSE: dict[str, FalseOf] = {
    word: false for group in _GROUPS for word, false in group.FALSE.items()
}
_PARTIAL = frozenset({"$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems"})


def terms_of(node: Node) -> tuple[Term, ...]:
    """Return terms that every value accepted by `node` obeys; Choices stand last."""
    if isinstance(node.contents, bool):
        return () if node.contents else (Types(frozenset()),)
    known = node.home.terms if node.home is not None else {}
    if node.key not in known:
        known[node.key] = _terms_of(node)
    found: Terms = known[node.key]
    return found


def _terms_of(node: Node) -> tuple[Term, ...]:
    found: list[Term] = []
    for keyword, value in node.keywords().items():
        if keyword in _TRUE:
            found += _TRUE[keyword](node, value)
    return tuple(sorted(found, key=lambda term: isinstance(term, Choice)))


def failures_of(node: Node) -> tuple[Failure, ...]:
    """Return the ways in which `node` rejects a value; together they are all there are, unless
    `is_partial` says otherwise."""
    if isinstance(node.contents, bool) or node.home is None:
        return tuple(_failures_of(node))
    known = node.home.failures
    if node.key not in known:
        known[node.key] = tuple(_failures_of(node))
    found: tuple[Failure, ...] = known[node.key]
    return found


def _failures_of(node: Node) -> Iterator[Failure]:
    if isinstance(node.contents, bool):
        if not node.contents:
            yield Failure(node, node.pointer, ())
        return
    for keyword, value in node.keywords().items():
        if keyword in _FALSE:
            yield from _FALSE[keyword](node, value)


def is_partial(node: Node) -> bool:
    """Tell whether `node` may reject values in ways that `failures_of` does not list."""
    if isinstance(node.contents, bool):
        return False
    names = node.keywords()
    if "$ref" in names and node.target() is None:
        return True
    pairs = len(names.get("oneOf", ())) ** 2 > 2 * combinations.MOST_PAIRS
    return pairs or not names.keys().isdisjoint(_PARTIAL)

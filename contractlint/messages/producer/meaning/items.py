"""Keywords about the items of arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from contractlint.messages.producer.meaning.failures import (
    ITEMS,
    Failure,
    FalseOf,
    Terms,
    TrueOf,
    failing,
    only,
    through,
)
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import (
    Choice,
    Claim,
    Distinct,
    Items,
    Size,
    SomeItem,
    Term,
)


def _with_item(start: int, stop: int | None, terms: Terms) -> Terms:
    return (only("array"), SomeItem(start, terms, stop=stop))


def _prefix_keyword(node: Node) -> str:
    return "items" if isinstance(node.contents.get("items"), list) else "prefixItems"


def _prefix_true(keyword: str) -> TrueOf:
    def true(node: Node, value: Any) -> list[Term]:
        return [
            Items(index, index + 1, (Claim(node.child(keyword, index), True),))
            for index in range(len(value))
        ]

    return true


def _prefix_false(keyword: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        for index in range(len(value)):
            outer = partial(_with_item, index, index + 1)
            yield through(node, node.child(keyword, index), outer)

    return false


def _items_true(node: Node, value: Any) -> list[Term]:
    if isinstance(value, list):
        return _prefix_true("items")(node, value)
    start = len(node.contents.get("prefixItems", ())) if node.draft >= 2020 else 0
    return [Items(start, None, (Claim(node.child("items"), True),))]


def _items_false(node: Node, value: Any) -> Iterator[Failure]:
    if isinstance(value, list):
        yield from _prefix_false("items")(node, value)
        return
    start = len(node.contents.get("prefixItems", ())) if node.draft >= 2020 else 0
    outer = partial(_with_item, start, None)
    yield through(node, node.child("items"), outer, ITEMS if start == 0 else None)


def _more_items_true(node: Node, value: Any) -> list[Term]:
    if _prefix_keyword(node) != "items":
        return []
    inner = node.child("additionalItems")
    return [Items(len(node.contents["items"]), None, (Claim(inner, True),))]


def _more_items_false(node: Node, value: Any) -> Iterator[Failure]:
    if _prefix_keyword(node) == "items":
        outer = partial(_with_item, len(node.contents["items"]), None)
        yield through(node, node.child("additionalItems"), outer)


def _contains_true(node: Node, value: Any) -> list[Term]:
    least = int(node.keywords().get("minContains", 1))
    found: list[Term] = []
    if least > 0:
        found.append(SomeItem(0, (Claim(node.child("contains"), True),), count=least))
    if node.keywords().get("maxContains") == 0:
        found.append(Items(0, None, (Claim(node.child("contains"), False),)))
    return found


def _contains_false(node: Node, value: Any) -> Iterator[Failure]:
    inner, least = node.child("contains"), int(node.keywords().get("minContains", 1))
    none = Items(0, None, (Claim(inner, False),))
    if least == 1:
        yield failing(node, "contains", only("array"), none)
    elif least > 1:
        # One fewer item than asked for is enough to show the failure.
        few = Choice(((none,), (Size("array", high=least - 1),)))
        yield failing(node, "minContains", only("array"), few)
    most = node.keywords().get("maxContains")
    if most is not None:
        many = SomeItem(0, (Claim(inner, True),), count=int(most) + 1)
        yield failing(node, "maxContains", only("array"), many)


def _unique_true(node: Node, value: Any) -> list[Term]:
    return [Distinct(True)] if value is True else []


def _unique_false(node: Node, value: Any) -> Iterator[Failure]:
    if value is True:
        yield failing(node, "uniqueItems", only("array"), Distinct(False))


TRUE: dict[str, TrueOf] = {
    "prefixItems": _prefix_true("prefixItems"),
    "items": _items_true,
    "additionalItems": _more_items_true,
    "contains": _contains_true,
    "uniqueItems": _unique_true,
}

FALSE: dict[str, FalseOf] = {
    "prefixItems": _prefix_false("prefixItems"),
    "items": _items_false,
    "additionalItems": _more_items_false,
    "contains": _contains_false,
    "uniqueItems": _unique_false,
}

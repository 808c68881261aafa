"""Keywords about the members of objects.

`unevaluatedProperties` counts every name as evaluated that the schema mentions for the same value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from contractlint.messages.documents import escape
from contractlint.messages.producer.meaning.combinations import in_place
from contractlint.messages.producer.meaning.failures import (
    Failure,
    FalseOf,
    Terms,
    TrueOf,
    and_then,
    failing,
    only,
    through,
)
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import (
    ALL_TYPES,
    Choice,
    Claim,
    Has,
    Lacks,
    Member,
    Members,
    Names,
    SomeMember,
    Term,
    Text,
    Types,
)


def _required_true(node: Node, value: Any) -> list[Term]:
    return [Has(name) for name in value] if isinstance(value, list) else []


def _required_false(node: Node, value: Any) -> Iterator[Failure]:
    for name in value if isinstance(value, list) else ():
        declared = name in node.contents.get("properties", {})
        place = f"properties/{escape(name)}" if declared else "required"
        terms = (only("object"), Lacks(name))
        yield Failure(node, f"{node.pointer}/{place}", terms, missing=name)


def _properties_true(node: Node, value: Any) -> list[Term]:
    return [Member(name, (Claim(node.child("properties", name), True),)) for name in value]


def _properties_false(node: Node, value: Any) -> Iterator[Failure]:
    for name in value:
        yield through(node, node.child("properties", name), partial(_with_member, name), name)


def _with_member(name: str, terms: Terms) -> Terms:
    return (only("object"), Has(name), Member(name, terms))


def _with_some(names: frozenset[str], name_terms: Terms, terms: Terms) -> Terms:
    return (only("object"), SomeMember(names, name_terms, terms))


def _patterns_true(node: Node, value: Any) -> list[Term]:
    return [
        Members(
            frozenset(), (pattern,), True, (Claim(node.child("patternProperties", pattern), True),)
        )
        for pattern in value
    ]


def _patterns_false(node: Node, value: Any) -> Iterator[Failure]:
    for pattern in value:
        outer = partial(_with_some, frozenset(), (Text("pattern", pattern),))
        yield through(node, node.child("patternProperties", pattern), outer)


def _named(node: Node) -> tuple[frozenset[str], tuple[str, ...]]:
    return (
        frozenset(node.contents.get("properties", ())),
        tuple(node.contents.get("patternProperties", ())),
    )


def _additional_true(node: Node, value: Any) -> list[Term]:
    names, patterns = _named(node)
    return [Members(names, patterns, False, (Claim(node.child("additionalProperties"), True),))]


def _additional_false(node: Node, value: Any) -> Iterator[Failure]:
    names, patterns = _named(node)
    name_terms = tuple(Text("pattern", pattern, holds=False) for pattern in patterns)
    outer = partial(_with_some, names, name_terms)
    yield through(node, node.child("additionalProperties"), outer)


def _names_true(node: Node, value: Any) -> list[Term]:
    return [Names((Claim(node.child("propertyNames"), True),))]


def _names_false(node: Node, value: Any) -> Iterator[Failure]:
    some = SomeMember(frozenset(), (Claim(node.child("propertyNames"), False),), ())
    yield failing(node, "propertyNames", only("object"), some)


def _dependent_true(keyword: str) -> TrueOf:
    def true(node: Node, value: Any) -> list[Term]:
        found: list[Term] = []
        for name, asked in value.items():
            then: tuple[Term, ...] = (Claim(node.child(keyword, name), True),)
            if isinstance(asked, list):
                then = tuple(Has(other) for other in asked)
            found.append(
                Choice(((Types(ALL_TYPES - {"object"}),), (Lacks(name),), (Has(name), *then)))
            )
        return found

    return true


def _dependent_false(keyword: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        for name, asked in value.items():
            context = (only("object"), Has(name))
            pointer = f"{node.pointer}/{keyword}/{escape(name)}"
            if isinstance(asked, list):
                for other in asked:
                    yield Failure(node, pointer, (*context, Lacks(other)))
            else:
                yield through(node, node.child(keyword, name), partial(and_then, context))

    return false


def _mentioned(node: Node) -> tuple[frozenset[str], tuple[str, ...], bool]:
    names, patterns, everything = set[str](), set[str](), False
    stack, seen = [node], {node}
    while stack:
        current = stack.pop()
        if isinstance(current.contents, bool):
            continue
        names |= set(current.contents.get("properties", ()))
        patterns |= set(current.contents.get("patternProperties", ()))
        everything |= "additionalProperties" in current.contents
        everything |= current is not node and "unevaluatedProperties" in current.contents
        fresh = [inner for inner in in_place(current) if inner not in seen]
        seen.update(fresh)
        stack += fresh
    return frozenset(names), tuple(sorted(patterns)), everything


def _unevaluated_true(node: Node, value: Any) -> list[Term]:
    names, patterns, everything = _mentioned(node)
    if everything:
        return []
    return [Members(names, patterns, False, (Claim(node.child("unevaluatedProperties"), True),))]


def _unevaluated_false(node: Node, value: Any) -> Iterator[Failure]:
    names, patterns, everything = _mentioned(node)
    if everything:
        return
    name_terms = tuple(Text("pattern", pattern, holds=False) for pattern in patterns)
    outer = partial(_with_some, names, name_terms)
    yield through(node, node.child("unevaluatedProperties"), outer)


TRUE: dict[str, TrueOf] = {
    "required": _required_true,
    "properties": _properties_true,
    "patternProperties": _patterns_true,
    "additionalProperties": _additional_true,
    "propertyNames": _names_true,
    "dependentRequired": _dependent_true("dependentRequired"),
    "dependentSchemas": _dependent_true("dependentSchemas"),
    "dependencies": _dependent_true("dependencies"),
    "unevaluatedProperties": _unevaluated_true,
}

FALSE: dict[str, FalseOf] = {
    "required": _required_false,
    "properties": _properties_false,
    "patternProperties": _patterns_false,
    "additionalProperties": _additional_false,
    "propertyNames": _names_false,
    "dependentRequired": _dependent_false("dependentRequired"),
    "dependentSchemas": _dependent_false("dependentSchemas"),
    "dependencies": _dependent_false("dependencies"),
    "unevaluatedProperties": _unevaluated_false,
}

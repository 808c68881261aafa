"""What a subschema says about a value: the terms of its truth, and the ways it can be false.

Keywords without an entry here (annotations, unknown names) say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any

from contractlint.messages.documents import escape
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import (
    ALL_TYPES,
    NUMBERS,
    Choice,
    Claim,
    Distinct,
    Has,
    Items,
    Lacks,
    Member,
    Members,
    Multiple,
    Names,
    Range,
    Size,
    SomeItem,
    SomeMember,
    Term,
    Text,
    Types,
    values,
)

FORMATS = frozenset(
    [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "uuid",
        "json-pointer",
    ]
)
_MOST_PAIRS = 200


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
    pairs = len(names.get("oneOf", ())) ** 2 > 2 * _MOST_PAIRS
    return pairs or not names.keys().isdisjoint(_PARTIAL)


_PARTIAL = frozenset({"$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems"})


def _only(kind: str) -> Types:
    return Types(NUMBERS if kind == "number" else frozenset({kind}))


def _or_other(kind: str, *terms: Term) -> Choice:
    return Choice(((Types(ALL_TYPES - {kind}),), terms))


def _through(node: Node, inner: Node, outer: Outer, member: Where = None) -> Failure:
    """Return the failure that is a failure of `inner`."""
    return Failure(node, inner.pointer, outer((Claim(inner, False),)), inner, outer, member)


def _fail(node: Node, keyword: str, *terms: Term) -> Failure:
    return Failure(node, f"{node.pointer}/{keyword}", terms)


# --- any type -------------------------------------------------------------------------------------


def _allowed(value: Any) -> frozenset[str]:
    named = {value} if isinstance(value, str) else set(value)
    return frozenset(named | (NUMBERS if "number" in named else frozenset())) & ALL_TYPES


def _type_false(node: Node, value: Any) -> Iterator[Failure]:
    yield _fail(node, "type", Types(ALL_TYPES - _allowed(value)))


def _const_false(node: Node, value: Any) -> Iterator[Failure]:
    yield _fail(node, "const", values([value], among=False))


def _enum_false(node: Node, value: Any) -> Iterator[Failure]:
    yield _fail(node, "enum", values(value, among=False))


# --- numbers --------------------------------------------------------------------------------------


def _number(value: Any) -> Fraction:
    return Fraction(str(value))


def _minimum(node: Node, value: Any) -> Range:
    is_open = node.contents.get("exclusiveMinimum") is True
    return Range(low=_number(value), low_open=is_open)


def _maximum(node: Node, value: Any) -> Range:
    is_open = node.contents.get("exclusiveMaximum") is True
    return Range(high=_number(value), high_open=is_open)


def _above(node: Node, value: Any) -> Range:
    return Range() if isinstance(value, bool) else Range(low=_number(value), low_open=True)


def _below(node: Node, value: Any) -> Range:
    return Range() if isinstance(value, bool) else Range(high=_number(value), high_open=True)


def _outside(keyword: str, bound: Callable[[Node, Any], Range]) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        inside = bound(node, value)
        if inside != Range():
            turned = Range(inside.high, inside.low, not inside.high_open, not inside.low_open)
            yield _fail(node, keyword, _only("number"), turned)

    return false


def _multiple_false(node: Node, value: Any) -> Iterator[Failure]:
    yield _fail(node, "multipleOf", _only("number"), Multiple(_number(value), holds=False))


# --- strings, sizes -------------------------------------------------------------------------------


def _text_false(keyword: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        if keyword == "pattern" or value in FORMATS:
            yield _fail(node, keyword, _only("string"), Text(keyword, value, holds=False))

    return false


def _format_true(node: Node, value: Any) -> list[Term]:
    return [Text("format", value)] if value in FORMATS else []


def _too_small(keyword: str, kind: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        if value > 0:
            yield _fail(node, keyword, _only(kind), Size(kind, high=int(value) - 1))

    return false


def _too_large(keyword: str, kind: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        yield _fail(node, keyword, _only(kind), Size(kind, low=int(value) + 1))

    return false


# --- objects --------------------------------------------------------------------------------------


def _required_true(node: Node, value: Any) -> list[Term]:
    return [Has(name) for name in value] if isinstance(value, list) else []


def _required_false(node: Node, value: Any) -> Iterator[Failure]:
    for name in value if isinstance(value, list) else ():
        declared = name in node.contents.get("properties", {})
        place = f"properties/{escape(name)}" if declared else "required"
        terms = (_only("object"), Lacks(name))
        yield Failure(node, f"{node.pointer}/{place}", terms, missing=name)


def _properties_true(node: Node, value: Any) -> list[Term]:
    return [Member(name, (Claim(node.child("properties", name), True),)) for name in value]


def _properties_false(node: Node, value: Any) -> Iterator[Failure]:
    for name in value:
        yield _through(node, node.child("properties", name), partial(_with_member, name), name)


def _with_member(name: str, terms: Terms) -> Terms:
    return (_only("object"), Has(name), Member(name, terms))


def _with_some(names: frozenset[str], name_terms: Terms, terms: Terms) -> Terms:
    return (_only("object"), SomeMember(names, name_terms, terms))


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
        yield _through(node, node.child("patternProperties", pattern), outer)


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
    yield _through(node, node.child("additionalProperties"), outer)


def _names_true(node: Node, value: Any) -> list[Term]:
    return [Names((Claim(node.child("propertyNames"), True),))]


def _names_false(node: Node, value: Any) -> Iterator[Failure]:
    some = SomeMember(frozenset(), (Claim(node.child("propertyNames"), False),), ())
    yield _fail(node, "propertyNames", _only("object"), some)


def _and(context: Terms, terms: Terms) -> Terms:
    return (*context, *terms)


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
            context = (_only("object"), Has(name))
            pointer = f"{node.pointer}/{keyword}/{escape(name)}"
            if isinstance(asked, list):
                for other in asked:
                    yield Failure(node, pointer, (*context, Lacks(other)))
            else:
                yield _through(node, node.child(keyword, name), partial(_and, context))

    return false


# --- arrays ---------------------------------------------------------------------------------------


def _with_item(start: int, stop: int | None, terms: Terms) -> Terms:
    return (_only("array"), SomeItem(start, terms, stop=stop))


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
            yield _through(node, node.child(keyword, index), outer)

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
    yield _through(node, node.child("items"), outer, ITEMS if start == 0 else None)


def _more_items_true(node: Node, value: Any) -> list[Term]:
    if _prefix_keyword(node) != "items":
        return []
    inner = node.child("additionalItems")
    return [Items(len(node.contents["items"]), None, (Claim(inner, True),))]


def _more_items_false(node: Node, value: Any) -> Iterator[Failure]:
    if _prefix_keyword(node) == "items":
        outer = partial(_with_item, len(node.contents["items"]), None)
        yield _through(node, node.child("additionalItems"), outer)


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
        yield _fail(node, "contains", _only("array"), none)
    elif least > 1:
        # One fewer item than asked for is enough to show the failure.
        few = Choice(((none,), (Size("array", high=least - 1),)))
        yield _fail(node, "minContains", _only("array"), few)
    most = node.keywords().get("maxContains")
    if most is not None:
        many = SomeItem(0, (Claim(inner, True),), count=int(most) + 1)
        yield _fail(node, "maxContains", _only("array"), many)


def _unique_true(node: Node, value: Any) -> list[Term]:
    return [Distinct(True)] if value is True else []


def _unique_false(node: Node, value: Any) -> Iterator[Failure]:
    if value is True:
        yield _fail(node, "uniqueItems", _only("array"), Distinct(False))


# --- combinations ---------------------------------------------------------------------------------


def _all_true(node: Node, value: Any) -> list[Term]:
    return [Claim(node.child("allOf", index), True) for index in range(len(value))]


def _all_false(node: Node, value: Any) -> Iterator[Failure]:
    for index in range(len(value)):
        yield _through(node, node.child("allOf", index), tuple, SAME_VALUE)


def _any_true(node: Node, value: Any) -> list[Term]:
    return [Choice(tuple((Claim(node.child("anyOf", i), True),) for i in range(len(value))))]


def _any_false(node: Node, value: Any) -> Iterator[Failure]:
    none = [Claim(node.child("anyOf", index), False) for index in range(len(value))]
    yield _fail(node, "anyOf", *none)


def _one_true(node: Node, value: Any) -> list[Term]:
    inner = [node.child("oneOf", index) for index in range(len(value))]
    return [Choice(tuple(tuple(Claim(n, n is m) for n in inner) for m in inner))]


def _one_false(node: Node, value: Any) -> Iterator[Failure]:
    inner = [node.child("oneOf", index) for index in range(len(value))]
    yield _fail(node, "oneOf", *(Claim(one, False) for one in inner))
    pairs = [(one, other) for at, one in enumerate(inner) for other in inner[:at]]
    for one, other in pairs[:_MOST_PAIRS]:
        yield _fail(node, "oneOf", Claim(one, True), Claim(other, True))


def _not_true(node: Node, value: Any) -> list[Term]:
    return [Claim(node.child("not"), False)]


def _not_false(node: Node, value: Any) -> Iterator[Failure]:
    yield _fail(node, "not", Claim(node.child("not"), True))


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
            yield _through(node, node.child(keyword), partial(_and, context))


def _ref_true(node: Node, value: Any) -> list[Term]:
    target = node.target()
    return [Claim(target, True)] if target else []


def _ref_false(node: Node, value: Any) -> Iterator[Failure]:
    target = node.target()
    if target:
        yield _through(node, target, tuple, SAME_VALUE)


# --- unevaluated: as if every name or position mentioned anywhere in the schema were evaluated ----


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
    yield _through(node, node.child("unevaluatedProperties"), outer)


TrueOf = Callable[[Node, Any], list[Term]]
FalseOf = Callable[[Node, Any], Iterator[Failure]]

_TRUE: dict[str, TrueOf] = {
    "type": lambda node, value: [Types(_allowed(value))],
    "const": lambda node, value: [values([value], among=True)],
    "enum": lambda node, value: [values(value, among=True)],
    "minimum": lambda node, value: [_minimum(node, value)],
    "maximum": lambda node, value: [_maximum(node, value)],
    "exclusiveMinimum": lambda node, value: [_above(node, value)],
    "exclusiveMaximum": lambda node, value: [_below(node, value)],
    "multipleOf": lambda node, value: [Multiple(_number(value))],
    "minLength": lambda node, value: [Size("string", low=int(value))],
    "maxLength": lambda node, value: [Size("string", high=int(value))],
    "minItems": lambda node, value: [Size("array", low=int(value))],
    "maxItems": lambda node, value: [Size("array", high=int(value))],
    "minProperties": lambda node, value: [Size("object", low=int(value))],
    "maxProperties": lambda node, value: [Size("object", high=int(value))],
    "pattern": lambda node, value: [Text("pattern", value)],
    "format": _format_true,
    "required": _required_true,
    "properties": _properties_true,
    "patternProperties": _patterns_true,
    "additionalProperties": _additional_true,
    "propertyNames": _names_true,
    "dependentRequired": _dependent_true("dependentRequired"),
    "dependentSchemas": _dependent_true("dependentSchemas"),
    "dependencies": _dependent_true("dependencies"),
    "prefixItems": _prefix_true("prefixItems"),
    "items": _items_true,
    "additionalItems": _more_items_true,
    "contains": _contains_true,
    "uniqueItems": _unique_true,
    "allOf": _all_true,
    "anyOf": _any_true,
    "oneOf": _one_true,
    "not": _not_true,
    "if": _if_true,
    "$ref": _ref_true,
    "unevaluatedProperties": _unevaluated_true,
}

_FALSE: dict[str, FalseOf] = {
    "type": _type_false,
    "const": _const_false,
    "enum": _enum_false,
    "minimum": _outside("minimum", _minimum),
    "maximum": _outside("maximum", _maximum),
    "exclusiveMinimum": _outside("exclusiveMinimum", _above),
    "exclusiveMaximum": _outside("exclusiveMaximum", _below),
    "multipleOf": _multiple_false,
    "minLength": _too_small("minLength", "string"),
    "maxLength": _too_large("maxLength", "string"),
    "minItems": _too_small("minItems", "array"),
    "maxItems": _too_large("maxItems", "array"),
    "minProperties": _too_small("minProperties", "object"),
    "maxProperties": _too_large("maxProperties", "object"),
    "pattern": _text_false("pattern"),
    "format": _text_false("format"),
    "required": _required_false,
    "properties": _properties_false,
    "patternProperties": _patterns_false,
    "additionalProperties": _additional_false,
    "propertyNames": _names_false,
    "dependentRequired": _dependent_false("dependentRequired"),
    "dependentSchemas": _dependent_false("dependentSchemas"),
    "dependencies": _dependent_false("dependencies"),
    "prefixItems": _prefix_false("prefixItems"),
    "items": _items_false,
    "additionalItems": _more_items_false,
    "contains": _contains_false,
    "uniqueItems": _unique_false,
    "allOf": _all_false,
    "anyOf": _any_false,
    "oneOf": _one_false,
    "not": _not_false,
    "if": _if_false,
    "$ref": _ref_false,
    "unevaluatedProperties": _unevaluated_false,
}

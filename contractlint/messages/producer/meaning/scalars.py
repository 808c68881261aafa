"""Keywords about types, single values, numbers, strings and sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from contractlint.messages.producer.meaning.failures import (
    Failure,
    FalseOf,
    TrueOf,
    failing,
    only,
)
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.terms import (
    ALL_TYPES,
    NUMBERS,
    Multiple,
    Range,
    Size,
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


def _allowed(value: Any) -> frozenset[str]:
    named = {value} if isinstance(value, str) else set(value)
    return frozenset(named | (NUMBERS if "number" in named else frozenset())) & ALL_TYPES


def _type_false(node: Node, value: Any) -> Iterator[Failure]:
    yield failing(node, "type", Types(ALL_TYPES - _allowed(value)))


def _const_false(node: Node, value: Any) -> Iterator[Failure]:
    yield failing(node, "const", values([value], among=False))


def _enum_false(node: Node, value: Any) -> Iterator[Failure]:
    yield failing(node, "enum", values(value, among=False))


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
            yield failing(node, keyword, only("number"), turned)

    return false


def _multiple_false(node: Node, value: Any) -> Iterator[Failure]:
    yield failing(node, "multipleOf", only("number"), Multiple(_number(value), holds=False))


def _text_false(keyword: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        if keyword == "pattern" or value in FORMATS:
            yield failing(node, keyword, only("string"), Text(keyword, value, holds=False))

    return false


def _format_true(node: Node, value: Any) -> list[Term]:
    return [Text("format", value)] if value in FORMATS else []


def _too_small(keyword: str, kind: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        if value > 0:
            yield failing(node, keyword, only(kind), Size(kind, high=int(value) - 1))

    return false


def _too_large(keyword: str, kind: str) -> FalseOf:
    def false(node: Node, value: Any) -> Iterator[Failure]:
        yield failing(node, keyword, only(kind), Size(kind, low=int(value) + 1))

    return false


TRUE: dict[str, TrueOf] = {
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
}

FALSE: dict[str, FalseOf] = {
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
}

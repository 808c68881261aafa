"""Random schemas, small enough that their differences can be checked by trying values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from contractlint.messages.producer.nodes import Home, Node
from contractlint.messages.producer.search import Answer, find
from contractlint.messages.producer.terms import Claim
from contractlint.messages.references import SchemaSet
from contractlint.messages.validation import Checker, compile_schema

URI = "file:///project/schema.json"
NAMES = ("a", "b", "c")

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 4),
    st.sampled_from([0.5, 1.5, -2.25]),
    st.sampled_from(["", "a", "ab", "xyz", "2030-01-31", "2030-01-31T08:00:00Z"]),
)
values = st.recursive(
    scalars,
    lambda below: st.one_of(
        st.lists(below, max_size=3),
        st.dictionaries(st.sampled_from((*NAMES, "x1", "")), below, max_size=4),
    ),
    max_leaves=6,
)
sizes = st.integers(0, 3)
numbers = st.integers(-3, 4)


def _objects(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(st.sampled_from(NAMES), schemas, max_size=3)
    names = st.lists(st.sampled_from(NAMES), max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"),
            "properties": members,
            "required": names,
            "additionalProperties": schemas,
            "patternProperties": st.dictionaries(st.just("^x"), schemas, max_size=1),
            "propertyNames": st.sampled_from([{"maxLength": 1}, {"pattern": "^[ax]"}, True]),
            "minProperties": sizes,
            "maxProperties": sizes,
            "dependentRequired": st.dictionaries(st.sampled_from(NAMES), names, max_size=1),
            "dependentSchemas": st.dictionaries(st.sampled_from(NAMES), schemas, max_size=1),
            "unevaluatedProperties": schemas,
        },
    )


def _arrays(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("array"),
            "items": schemas,
            "prefixItems": st.lists(schemas, min_size=1, max_size=2),
            "contains": schemas,
            "minContains": st.integers(0, 2),
            "maxContains": st.integers(0, 2),
            "minItems": sizes,
            "maxItems": sizes,
            "uniqueItems": st.booleans(),
        },
    )


def _combinations(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(schemas, min_size=1, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "allOf": some,
            "anyOf": some,
            "oneOf": some,
            "not": schemas,
            "if": schemas,
            "then": schemas,
            "else": schemas,
            "$ref": st.sampled_from(["#", "#/$defs/one"]),
            "type": st.sampled_from(["object", "string", "integer", ["object", "null"]]),
        },
    )


_leaves = st.one_of(
    st.booleans(),
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "number", "null"])}),
    st.fixed_dictionaries({"const": scalars}),
    st.fixed_dictionaries({"enum": st.lists(scalars, min_size=1, max_size=3)}),
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["integer", "number"]),
            "minimum": numbers,
            "maximum": numbers,
            "exclusiveMinimum": numbers,
            "exclusiveMaximum": numbers,
            "multipleOf": st.sampled_from([1, 2, 3, 0.5]),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": sizes,
            "maxLength": sizes,
            "pattern": st.sampled_from(["^a", "b$", "^[a-c]+$", "^x?$"]),
            "format": st.sampled_from(["date", "date-time", "unknown"]),
        },
    ),
)
_subschemas = st.recursive(
    _leaves,
    lambda below: st.one_of(_objects(below), _arrays(below), _combinations(below)),
    max_leaves=8,
)
schemas = st.builds(
    lambda schema, one: schema if isinstance(schema, bool) else {**schema, "$defs": {"one": one}},
    _subschemas,
    _leaves,
)


class Side:
    """One schema, to be searched and to be validated with."""

    def __init__(self, schema: Any) -> None:
        schemas = SchemaSet(Path("/project"))
        schemas.add_contents(URI, schema)
        self.home = Home(schemas)
        self.checker: Checker = compile_schema(schemas, URI)

    @property
    def node(self) -> Node:
        return self.home.node(URI)


def instance(schema: Any) -> Answer:
    """Look for a value that `schema` accepts."""
    side = Side(schema)
    return find([Claim(side.node, True)], side.checker.is_valid)


def difference(one: Any, other: Any, tolerant: bool = False) -> Answer:
    """Look for a value that `one` accepts and `other` rejects."""
    left, right = Side(one), Side(other)
    return find(
        [Claim(left.node, True), Claim(right.node, False)],
        lambda value: left.checker.is_valid(value) and not right.checker.is_valid(value),
        left.home if tolerant else None,
    )

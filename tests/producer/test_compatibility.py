from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from contractlint.messages.documents import START, Document
from contractlint.messages.producer.compatibility import (
    Break,
    Change,
    Direction,
    Undecided,
    breaks,
)
from contractlint.messages.producer.conformance import broken_requirements
from contractlint.messages.producer.documents import File, MessageSchema
from contractlint.messages.producer.opened import Opened, open_schema
from contractlint.messages.roles import roles_from_table
from tests.producer.schema_pairs import schemas

ROLES = roles_from_table({"id": "/a", "schema-version": "/b", "time": "/c"})
thorough = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def opened(schema: Any, name: str = "schema.json") -> Opened:
    document = Document(schema, (), {"": START}.__getitem__)
    file = File(Path("/project") / name, name, name, document)
    return open_schema(MessageSchema(file, "", name, 2020), Path("/project"), list)


def independently_valid(schema: Any, message: Any) -> bool:
    """The other validator, in pure Python, knows nothing of the engine that was asked before."""
    checker = jsonschema.FormatChecker(["date"])
    return jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid(message)


def is_beyond_the_other(schema: Any) -> bool:
    """It has no date-time without an extra package, and never returns from a schema of itself."""
    return "date-time" in str(schema) or "'#'" in str(schema)


@thorough
@given(schemas, schemas)
@pytest.mark.parametrize("tolerant", [True, False])
def test_every_example_is_accepted_by_the_writer_and_rejected_by_the_reader(
    tolerant: bool, old: Any, new: Any
) -> None:
    change = Change(opened(old), opened(new), tolerant=tolerant)
    for direction, writer, reader in (
        (Direction.BACKWARD, old, new),
        (Direction.FORWARD, new, old),
    ):
        found = breaks(change, direction)
        if isinstance(found, Undecided) or is_beyond_the_other([old, new]):
            continue
        for one in found:
            assert independently_valid(writer, one.message)
            assert not independently_valid(reader, one.message)


@thorough
@given(schemas)
def test_every_counterexample_is_accepted_by_the_schema(schema: Any) -> None:
    for verdict in broken_requirements(opened(schema), ROLES):
        if verdict.answer.found and not is_beyond_the_other(schema):
            assert independently_valid(schema, verdict.answer.value)


@thorough
@given(schemas)
def test_an_unchanged_schema_breaks_nobody(schema: Any) -> None:
    change = Change(opened(schema), opened(schema))
    assert breaks(change, Direction.FORWARD) == []
    assert breaks(change, Direction.BACKWARD) == []


def found(old: Any, new: Any, direction: Direction, **options: Any) -> list[Break]:
    answer = breaks(Change(opened(old), opened(new), **options), direction)
    assert isinstance(answer, list)
    return answer


def thing(**members: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(members), "properties": members}


def test_all_changed_places_are_named() -> None:
    old = thing(a={"type": "string"}, b={"maximum": 5}, c=thing(d={"const": 1}))
    new = thing(a={"type": "integer"}, b={"maximum": 9}, c=thing(d={"const": 2}))
    pointers = [one.pointer for one in found(old, new, Direction.FORWARD)]
    assert pointers == [
        "/properties/a/type",
        "/properties/b/maximum",
        "/properties/c/properties/d/const",
    ]


def test_a_looser_bound_breaks_old_readers_only() -> None:
    old, new = thing(n={"type": "number", "maximum": 5}), thing(n={"type": "number", "maximum": 6})
    assert [one.message for one in found(old, new, Direction.FORWARD)] == [{"n": 6}]
    assert found(old, new, Direction.BACKWARD) == []


def test_a_change_inside_one_alternative_is_found() -> None:
    old = {"anyOf": [thing(a={"type": "string"}), thing(b={"type": "string"})]}
    new = {"anyOf": [thing(a={"type": "string"}), thing(b={"type": "integer"})]}
    (one,) = found(old, new, Direction.FORWARD)
    assert one.pointer == "/anyOf"
    assert one.message == {"b": 0}


def test_an_open_model_decides_with_the_reader_mode() -> None:
    old, new = thing(a={"type": "string"}), thing(a={"type": "string"})
    new["properties"]["memo"] = {"type": "string"}
    assert found(old, new, Direction.BACKWARD, tolerant=True) == []
    (one,) = found(old, new, Direction.BACKWARD, tolerant=False)
    assert one.message == {"a": "a", "memo": 0}


def test_a_declared_map_is_not_closed_by_tolerance() -> None:
    old = {"type": "object", "additionalProperties": {"type": "integer"}}
    new = {"type": "object", "additionalProperties": {"type": "string"}}
    (one,) = found(old, new, Direction.BACKWARD)
    assert one.pointer == "/additionalProperties/type"


def test_versions_in_common_are_compared() -> None:
    old = thing(v={"enum": [1, 2]}, n={"type": "string"})
    new = thing(v={"enum": [2, 3]}, n={"type": "integer"})
    (one,) = found(old, new, Direction.FORWARD, version=("v",))
    assert one.message["v"] == 2
    assert found(old, thing(v={"enum": [3]}), Direction.FORWARD, version=("v",)) == []


def test_patterns_that_cannot_be_compared_are_undecided() -> None:
    old = thing(a={"type": "string", "pattern": "^(ab|cd)+$"})
    new = thing(a={"type": "string", "pattern": "^((ab)|(cd))+$"})
    answer = breaks(Change(opened(old), opened(new)), Direction.FORWARD)
    assert isinstance(answer, Undecided)

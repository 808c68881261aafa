from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings

from tests.producer.schema_pairs import Side, difference, instance, schemas, values

thorough = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@thorough
@given(schemas, values)
def test_a_proof_of_emptiness_is_true(schema: Any, value: Any) -> None:
    answer = instance(schema)
    valid = Side(schema).checker.is_valid
    if answer.found:
        assert valid(answer.value)
    if answer.proved:
        assert not valid(value)


@thorough
@given(schemas, schemas, values)
def test_a_proof_of_containment_is_true(one: Any, other: Any, value: Any) -> None:
    answer = difference(one, other)
    accepts, rejects = Side(one).checker.is_valid, Side(other).checker.is_valid
    if answer.found:
        assert accepts(answer.value)
        assert not rejects(answer.value)
    if answer.proved and accepts(value):
        assert rejects(value)


@thorough
@given(schemas)
def test_a_schema_contains_itself(schema: Any) -> None:
    assert difference(schema, schema).proved


@pytest.mark.skipif(not hasattr(jsonschema_rs, "canonicalize"), reason="an older jsonschema-rs")
@thorough
@given(schemas, schemas)
def test_the_library_agrees_where_it_decides(one: Any, other: Any) -> None:
    answer = difference(one, other)
    try:
        left, right = (jsonschema_rs.canonicalize(s, validate_formats=True) for s in (one, other))
        covers = right.covers(left)
    except (jsonschema_rs.ValidationError, jsonschema_rs.canonical.CanonicalizationError):
        return
    if answer.proved:
        assert covers.value != "no"
    if answer.found:
        assert covers.value != "yes"

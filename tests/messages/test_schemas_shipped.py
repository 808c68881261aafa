"""The shipped schemas say what they mean: their examples pass, their counter-examples fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from contractlint.bundled import bundled
from contractlint.messages.references import BUNDLED_PREFIX
from contractlint.messages.roles import ROLES, roles_from_schema
from contractlint.messages.validation import SchemaSet, compile_schema

NAMES = ("envelope", "event", "journal", "manual-record")


def load(name: str) -> dict[str, Any]:
    text = (bundled("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    return json.loads(text)


def checker(name: str, root: Path) -> Any:
    return compile_schema(SchemaSet(root), BUNDLED_PREFIX + name)


EXAMPLES = [(name, example) for name in NAMES for example in load(name)["examples"]]
COUNTER_EXAMPLES = [(name, one) for name in NAMES for one in load(name)["x-counter-examples"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_explains_itself(name: str) -> None:
    schema = load(name)
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["$id"] == BUNDLED_PREFIX + name
    assert schema["title"]
    for field, below in schema["properties"].items():
        assert "description" in below or "$ref" in below, field


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_examples_are_valid(name: str, example: Any, tmp_path: Path) -> None:
    assert checker(name, tmp_path).explain(example) == []
    assert checker(name, tmp_path).is_valid(example)


@pytest.mark.parametrize(
    ("name", "one"), COUNTER_EXAMPLES, ids=[one["why"] for _, one in COUNTER_EXAMPLES]
)
def test_counter_examples_fail_for_their_reason(name: str, one: Any, tmp_path: Path) -> None:
    violations = checker(name, tmp_path).explain(one["value"])
    assert [violation.keyword for violation in violations] == [one["keyword"]]
    assert not checker(name, tmp_path).is_valid(one["value"])


@pytest.mark.parametrize(("name", "one"), COUNTER_EXAMPLES)
def test_another_implementation_agrees(name: str, one: Any) -> None:
    if one["keyword"] == "format":
        pytest.skip("the other implementation asserts formats only with more packages")
    assert not jsonschema.Draft202012Validator(load(name)).is_valid(one["value"])


def test_envelope_roles() -> None:
    roles = roles_from_schema(load("envelope"))
    assert roles.pointer("effect-key") == "/effectKey"
    assert roles.pointer("schema-version") == "/payload/schema"
    assert set(roles.pointers) <= set(ROLES)


def test_an_event_may_spell_its_version_both_ways() -> None:
    roles = roles_from_schema(load("event"))
    assert set(roles.pointers["sequence"]) == {"/orderversion", "/orderVersion"}
    assert roles.pointer("source") == "/source"

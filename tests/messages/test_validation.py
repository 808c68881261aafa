"""Schemas: what may be referred to, what is refused, and how faults are explained."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from contractlint.messages.validation import Checker, SchemaError, SchemaSet, compile_schema


def write(path: Path, schema: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(schema, indent=1), encoding="utf-8")
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def compiled(root: Path, schema: Any) -> Checker:
    schemas = SchemaSet(root)
    return compile_schema(schemas, schemas.add_file(write(root / "main.json", schema)))


def refused(root: Path, schema: Any) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        compiled(root, schema)
    return caught.value


def test_a_reference_into_the_project_is_followed(root: Path) -> None:
    write(root / "parts" / "lamp.json", {"properties": {"bulb": {"$ref": "../bulb.json#/$defs/b"}}})
    write(root / "bulb.json", {"$defs": {"b": {"type": "integer"}}})
    checker = compiled(root, {"$ref": "parts/lamp.json"})
    assert checker.is_valid({"bulb": 1})
    (violation,) = checker.explain({"bulb": "x"})
    assert violation.pointer == "/bulb"
    assert violation.schema_pointer == "/$ref/properties/bulb/$ref/type"
    assert violation.keyword == "type"


def test_a_yaml_schema_will_do(root: Path) -> None:
    path = root / "main.yaml"
    path.write_text("type: object\nrequired: [lamp]\n", encoding="utf-8")
    schemas = SchemaSet(root)
    assert not compile_schema(schemas, schemas.add_file(path)).is_valid({})


def test_a_given_schema_is_known_by_its_id(root: Path) -> None:
    schemas = SchemaSet(root)
    schemas.add_file(
        write(root / "x" / "bulb.json", {"$id": "https://lamps.test/bulb", "minimum": 3})
    )
    main = write(root / "main.json", {"$id": "https://lamps.test/lamp", "$ref": "bulb"})
    checker = compile_schema(schemas, schemas.add_file(main))
    assert (checker.is_valid(3), checker.is_valid(2)) == (True, False)


def test_bundled_schemas_and_metaschemas_are_known(root: Path) -> None:
    checker = compiled(
        root,
        {
            "properties": {
                "task": {"$ref": "urn:contractlint:schema:envelope"},
                "schema": {"$ref": "http://json-schema.org/draft-07/schema#"},
            }
        },
    )
    assert not checker.is_valid({"task": {}})
    assert not checker.is_valid({"schema": {"type": 3}})
    assert checker.is_valid({"schema": {"type": "string"}})


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:9/lamp.json",
        "https://lamps.test/lamp.json",
        "file:///etc/hostname",
        "FILE:///etc/hostname",
        "../outside.json",
        "/etc/hostname",
        "missing.json",
        "#/$defs/missing",
        "urn:contractlint:schema:missing",
        "urn:contractlint:schema:../../pyproject",
    ],
)
def test_what_a_reference_may_not_lead_to(root: Path, target: str) -> None:
    write(root.parent / "outside.json", {})
    error = refused(root, {"properties": {"a": {"items": {"$ref": target}}}})
    assert target in error.message
    assert error.pointer == "/properties/a/items/$ref"
    assert (error.problem.path, error.problem.line) == ((root / "main.json").as_posix(), 5)


def test_a_link_out_of_the_project_is_not_followed(root: Path) -> None:
    outside = write(root.parent / "outside.json", {})
    (root / "inside.json").symlink_to(outside)
    assert "leads to nothing" in refused(root, {"$ref": "inside.json"}).message


def test_a_broken_schema_behind_a_reference_is_named(root: Path) -> None:
    (root / "part.json").write_text('{"type": \n', encoding="utf-8")
    assert refused(root, {"$ref": "part.json"}).path.endswith("part.json")


def test_a_name_that_looks_like_a_reference_is_none(root: Path) -> None:
    schema = {
        "properties": {"$ref": {"type": "string"}},
        "const": {"$ref": "http://127.0.0.1:9/x"},
        "examples": [{"$ref": "http://127.0.0.1:9/x"}],
    }
    assert compiled(root, schema).is_valid({"$ref": "http://127.0.0.1:9/x"})


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "schema",
    [
        lambda url: {"$ref": f"{url}/a"},
        lambda url: {"$id": f"{url}/base/", "$ref": "a"},
        lambda url: {"$schema": f"{url}/dialect"},
        lambda url: {"$dynamicRef": f"{url}/a#x"},
        lambda url: {"$id": f"{url}/base/", "$defs": {"x": {"$id": "y/", "$ref": "z"}}},
    ],
)
def test_no_request_leaves_the_process(root: Path, schema: Any, server: Any, run: Any) -> None:
    url, seen = server
    refused(root, schema(url))
    (root / "m.json").write_text("{}", encoding="utf-8")
    ran = run("messages", str(root / "m.json"), "--schema", str(root / "main.json"))
    assert ran.exit_code == 2
    assert "main.json" in ran.err
    assert seen == []


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "text"}, "not a valid schema"),
        ({"pattern": "("}, "not a valid schema"),
        ({"properties": {"a": 5}}, "not a valid schema"),
        ({"properties": []}, "not a valid schema"),
        ({"$ref": 5}, "not a valid schema"),
        ({"$id": 5}, "not a valid schema"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "the draft"),
        ([], "a schema is an object"),
    ],
)
def test_what_is_no_schema(root: Path, schema: Any, message: str) -> None:
    assert message.lower() in refused(root, schema).message.lower()


def test_the_nearest_alternative_explains(root: Path) -> None:
    checker = compiled(
        root,
        {
            "anyOf": [
                {"properties": {"kind": {"const": "on"}, "level": {"type": "integer"}}},
                {"properties": {"kind": {"const": "off"}, "until": {"type": "string"}}},
            ]
        },
    )
    (violation,) = checker.explain({"kind": "off", "level": "high", "until": 3})
    assert violation.pointer == "/until"


def test_alternatives_that_are_equally_near_are_told_together(root: Path) -> None:
    (violation,) = compiled(root, {"anyOf": [{"type": "string"}, {"type": "null"}]}).explain(5)
    assert (violation.pointer, violation.keyword) == ("", "anyOf")


def test_a_missing_member_is_the_subject(root: Path) -> None:
    (violation,) = compiled(root, {"required": ["a/b"]}).explain({})
    assert (violation.pointer, violation.subject) == ("", "/a~1b")


def test_a_long_value_is_told_shortly(root: Path) -> None:
    (violation,) = compiled(root, {"type": "integer"}).explain("x" * 100_000)
    assert len(violation.message) < 300
    assert "integer" in violation.message


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"pattern": "^(a+)+$"}, "a" * 50_000 + "!", False),
        ({"patternProperties": {"^(a|a)*$": {"type": "null"}}}, {"a" * 50_000 + "!": 1}, True),
        ({"pattern": "^(?=x)(a+)+$"}, "a" * 5_000 + "!", False),
        ({"pattern": "^((?=a)a+)+$"}, "a" * 5_000 + "!", False),
        ({"$ref": "#"}, {}, True),
        ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/a"}}}, 1, True),
        ({"enum": list(range(300_000))}, -1, False),
        ({"uniqueItems": True}, list(range(20_000)), True),
        ({"type": "string"}, "\ud800", False),
    ],
)
def test_hostile_schemas_cost_little(root: Path, schema: Any, value: Any, valid: bool) -> None:
    checker = compiled(root, schema)
    started = time.monotonic()
    assert checker.is_valid(value) is valid
    assert bool(checker.explain(value)) is not valid
    assert time.monotonic() - started < 10


def _halves(levels: int) -> dict[str, Any]:
    steps = {
        f"s{level}": {
            "anyOf": [{"$ref": f"#/$defs/s{level + 1}"}, {"$ref": f"#/$defs/s{level + 1}"}]
        }
        for level in range(levels)
    }
    return {"$ref": "#/$defs/s0", "$defs": {**steps, f"s{levels}": {"type": "string"}}}


def test_alternatives_that_multiply_are_refused(root: Path) -> None:
    assert "multiply" in refused(root, _halves(40)).message
    assert compiled(root, _halves(10)).explain(5)


TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "properties": {"a": {"anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/node"}]}},
            "not": {"maxProperties": 0},
        }
    },
}


@pytest.mark.parametrize("depth", [3, 40, 190])
def test_alternatives_that_refer_to_themselves(depth: int, root: Path) -> None:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    checker = compiled(root, TREE)
    started = time.monotonic()
    assert not checker.is_valid(value)
    (violation, *_) = checker.explain(value)
    assert ("too deep" in violation.message) is (depth > 6)
    assert time.monotonic() - started < 10
    assert checker.explain({"b": 1}) == []


def test_a_long_chain_of_references(root: Path) -> None:
    chain = {f"c{number}": {"$ref": f"#/$defs/c{number + 1}"} for number in range(100)}
    schema = {"$ref": "#/$defs/c0", "$defs": {**chain, "c100": {"type": "string"}}}
    assert [one.keyword for one in compiled(root, schema).explain(5)] == ["type"]

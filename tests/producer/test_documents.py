"""Where message schemas are found, and what broken or hostile documents lead to."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from click.testing import CliRunner

from contractlint.cli.schemas import command
from tests.producer.conftest import Project, Schema

BARE = {"type": "object", "properties": {"message_id": {"type": "string", "minLength": 1}}}
MISSING = ["id-not-required", "version-not-required"]


def async_api_2(payload: Any, **message: Any) -> dict[str, Any]:
    return {
        "asyncapi": "2.6.0",
        "channels": {
            "beds": {"subscribe": {"message": {"oneOf": [{"payload": payload, **message}]}}}
        },
    }


def async_api_3(payload: Any) -> dict[str, Any]:
    return {
        "asyncapi": "3.0.0",
        "channels": {"beds": {"messages": {"m": {"$ref": "#/components/messages/BedAssigned"}}}},
        "components": {
            "messages": {"BedAssigned": {"payload": {"$ref": "#/components/schemas/Bed"}}},
            "schemas": {"Bed": payload},
        },
    }


def open_api(payload: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": payload}}
    return {
        "openapi": "3.1.0",
        "webhooks": {"bed/assigned": {"post": {"requestBody": {"content": content}}}},
        "paths": {"/beds": {"get": {}}},
    }


@pytest.mark.parametrize(
    ("make", "pointer"),
    [
        (async_api_2, "/channels/beds/subscribe/message/oneOf/0/payload/required"),
        (async_api_3, "/components/schemas/Bed/required"),
        (
            open_api,
            "/webhooks/bed~1assigned/post/requestBody/content/application~1json/schema/required",
        ),
    ],
)
def test_payloads_in_other_documents(
    make: Any, pointer: str, project: Project, schema: Schema
) -> None:
    project.write("api.json", make(BARE))
    outcome = project.run("api.json")
    assert outcome.rules == MISSING
    assert outcome.findings[0]["pointer"] == pointer
    project.write("api.json", make(schema()))
    assert project.run("api.json").findings == []
    project.write("old.json", make(schema(ward={"type": "string"})))
    project.write("api.json", make(schema(ward={"type": "null"})))
    assert project.run("api.json", "--against", "old.json").rules == [
        "breaking-change-without-version-bump"
    ]


def test_multi_format_payload_of_asyncapi_3(project: Project) -> None:
    language = "application/schema+json;version=draft-07"
    payload = {"schemaFormat": language, "schema": BARE}
    document = {"asyncapi": "3.0.0", "components": {"messages": {"m": {"payload": payload}}}}
    project.write("api.json", document)
    assert project.run("api.json").rules == MISSING


def test_other_schema_languages_are_left_alone(project: Project) -> None:
    language = "application/vnd.apache.avro;version=1.9.0"
    project.write("api.json", async_api_2({"type": "record"}, schemaFormat=language))
    outcome = project.run("api.json")
    assert outcome.exit_code == 0
    assert outcome.rules == ["schema-language-unknown"]


def test_yaml_has_lines_too(project: Project) -> None:
    project.write("bed.yaml", "type: object\nproperties:\n  message_id:\n    type: string\n")
    found = project.run("bed.yaml").findings
    assert [(one["rule"], one["line"]) for one in found][1] == ("id-may-be-empty", 4)


def test_folders_are_searched_for_schemas_only(project: Project, schema: Schema) -> None:
    project.write("all/bed.json", {**schema(), "required": ["version"]})
    project.write("all/deep/bed.schema.json", {**schema(), "required": ["version"]})
    project.write("all/message.json", {"message_id": "m-1"})
    project.write("all/list.json", [1, 2])
    project.write("all/.hidden/bed.json", {**schema(), "required": []})
    outcome = project.run("all")
    assert [one["path"] for one in outcome.findings] == [
        "all/bed.json",
        "all/deep/bed.schema.json",
    ]
    assert outcome.errors == []


def test_parts_and_libraries_are_no_messages(project: Project, schema: Schema) -> None:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    project.write("all/ward.json", {"$schema": dialect, "type": "object"})
    project.write("all/types.json", {"$schema": dialect, "$defs": {"a": True}})
    project.write("all/bed.json", {"$schema": dialect, **schema(ward={"$ref": "ward.json"})})
    assert project.run("all").findings == []
    assert project.run("all/ward.json").rules == MISSING


def test_annotations_name_the_roles(project: Project) -> None:
    project.write("contractlint.toml", "")
    role = {"type": "string", "x-contract-role": "id"}
    project.write("bed.json", {"type": "object", "properties": {"key": role}})
    assert project.run("bed.json").rules == ["id-not-required", "id-may-be-empty"]


def test_a_profile_names_the_roles(project: Project) -> None:
    project.write("bed.json", {"type": "object", "required": ["id", "type"]})
    assert project.run("bed.json", "--profile", "cloudevents").rules == [
        "id-may-be-empty",
        "source-not-required",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ("[1]", "neither JSON Schema"),
        ('{"message_id": "m-1"}', "neither JSON Schema"),
        ('{"not":' * 1000 + "{}" + "}" * 1000, "nested deeper"),
        ('{"$ref": "file:///etc/passwd"}', "refused"),
        ('{"$ref": "../../etc/passwd"}', "leads to nothing"),
        ('{"$ref": "#/$defs/none"}', "leads to nothing"),
        ('{"$schema": "https://example.org/own", "type": "object"}', "draft"),
        ('{"type": "object", "type": "string"}', "occurs twice"),
        ('{"const": "\\ud800"}', "surrogate"),
    ],
)
def test_unusable_documents_are_errors(content: str, words: str, project: Project) -> None:
    project.write("bed.json", content)
    project.write("other.json", BARE)
    outcome = project.run("bed.json", "other.json")
    assert outcome.exit_code == 2
    assert [words in one["message"] for one in outcome.errors] == [True]
    assert outcome.rules == MISSING


def test_a_web_reference_opens_no_connection(project: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/bed.json"
        project.write("bed.json", {"type": "object", "properties": {"a": {"$ref": address}}})
        outcome = project.run("bed.json")
        with pytest.raises(TimeoutError):
            server.accept()
    assert outcome.exit_code == 2
    assert "nothing is fetched" in outcome.errors[0]["message"]


def nested(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        inner = {"type": "object", "required": ["x"], "properties": {"x": inner}}
    return inner


@pytest.mark.parametrize(
    "part",
    [
        {"$ref": "#"},
        {"$ref": "#/properties/part"},
        nested(70),
        {"enum": list(range(50_000))},
        {"type": "string", "pattern": "^(a+)+$"},
        {"type": "string", "minLength": 10**9},
        {"type": "array", "minItems": 10**9},
        {"type": "integer", "minimum": 10**300, "multipleOf": 7},
        {"type": "number", "multipleOf": 1e-300},
        {"allOf": [{"anyOf": [{"required": [f"{i}-{j}"]} for j in range(10)]} for i in range(10)]},
        {"oneOf": [{"const": number} for number in range(60)]},
    ],
    ids=lambda part: next(iter(part)),
)
def test_hostile_schemas_end(part: dict[str, Any], project: Project, schema: Schema) -> None:
    project.write("old.json", schema(part=part))
    project.write("new.json", schema(part=part, more={"type": "string"}))
    outcome = project.run("new.json", "--against", "old.json")
    assert outcome.errors == []
    assert set(outcome.rules) <= {"conformance-undecided", "compatibility-undecided"}


def test_without_paths_there_must_be_settings(project: Project) -> None:
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 2
    assert "schemas.files" in result.output


def test_exit_zero_and_output(project: Project) -> None:
    project.write("bed.json", BARE)
    result = CliRunner().invoke(command, ["bed.json", "--exit-zero", "--output", "report.txt"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert "CS201" in (project.root / "report.txt").read_text()


def test_github_annotations(project: Project) -> None:
    project.write("bed.json", BARE)
    result = CliRunner().invoke(command, ["bed.json", "--output-format", "github"])
    assert result.stdout.startswith("::error file=bed.json,line=1,col=1,")


def test_the_sum_speaks_of_schemas(project: Project) -> None:
    project.write("bed.json", BARE)
    result = CliRunner().invoke(command, ["bed.json"])
    assert result.stdout.splitlines()[-1].endswith("in 1 file, 1 schema")

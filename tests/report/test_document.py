"""The JSON output keeps to its schema, and fingerprints survive edits elsewhere."""

import json

import jsonschema
import pytest

from contractlint.bundled import bundled

pytestmark = pytest.mark.usefixtures("line_engine")


@pytest.fixture(scope="session")
def schema():
    return json.loads((bundled("schemas") / "report.schema.json").read_text(encoding="utf-8"))


def test_every_document_keeps_to_the_schema(project, check, schema):
    project.write("a.py", "receive\nlose\n# contractlint: ignore\n")
    project.write("nul.py", "receive\n\0")
    for arguments in (
        [],
        ["--list-handlers", "--statistics", "--select", "ALL"],
        ["missing.py"],
        ["--select", "nonsense"],
    ):
        jsonschema.validate(check(*arguments).document, schema)


def test_members(project, check):
    project.write("a.py", "receive\n  lose  # here\n")
    project.write("b.py", "nothing = 1\n")
    document = check("--list-handlers").document
    [finding] = document["findings"]
    assert finding.pop("fingerprint")
    assert finding == {
        "code": "CL101",
        "rule": "ack-before-persist",
        "severity": "error",
        "confidence": "high",
        "path": "a.py",
        "line": 2,
        "column": 3,
        "end_line": 2,
        "end_column": 7,
        "handler": "on_1",
        "pointer": "",
        "message": "delivery acknowledged before its result is recorded",
        "fix": "Acknowledge last.",
        "scenario": [
            {"path": "a.py", "line": 1, "event": "receive", "text": "the broker delivers"},
            {"path": "a.py", "line": 2, "event": "ack", "text": "acknowledged"},
            {
                "path": "a.py",
                "line": 0,
                "event": "crash",
                "text": "the process dies: the work is lost",
            },
        ],
    }
    assert document["summary"] == {"files": 2, "handlers": 1, "findings": 1, "errors": 0}
    assert document["handlers"] == [
        {"path": "a.py", "line": 1, "end_line": 2, "name": "on_1", "library": "pika", "via": ""}
    ]


def test_statistics(project, check):
    project.write("a.py", "receive\nlose\nlose\n# contractlint: ignore\n")
    assert check("--statistics").document["statistics"] == [
        {"code": "CL101", "rule": "ack-before-persist", "count": 2},
        {"code": "CL901", "rule": "suppression-without-reason", "count": 1},
    ]


@pytest.fixture
def fingerprints(project, check):
    def fingerprints(source, *arguments):
        project.write("app/a.py", source)
        return [one["fingerprint"] for one in check(*arguments).document["findings"]]

    return fingerprints


def test_fingerprints_survive_lines_above_and_layout(fingerprints):
    first = fingerprints("receive\nlose = 1\n")
    assert fingerprints("receive\n\n\n    lose   =  1\n") == first


def test_fingerprints_of_equal_statements_differ_by_their_order(fingerprints):
    first, second = fingerprints("receive\nlose\nlose\n")
    assert first != second
    assert fingerprints("receive\nlose\n") == [first]


def test_fingerprints_tell_statements_apart(fingerprints):
    assert fingerprints("receive\nlose = 1\n") != fingerprints("receive\nlose = 2\n")


def test_fingerprints_do_not_depend_on_the_current_folder(project, fingerprints, monkeypatch):
    first = fingerprints("receive\nlose\n")
    (project.root / "else").mkdir()
    monkeypatch.chdir(project.root / "else")
    assert fingerprints("receive\nlose\n", "..") == first


MESSAGE = {"id": "m-1", "kind": "lamp.lit", "effectKey": "lamp:lit", "payload": {"schema": "1"}}


@pytest.mark.parametrize(
    "arguments",
    [
        ["messages", "a.jsonl"],
        ["messages", "a.jsonl", "missing.json", "--stream"],
        ["schemas", "s.schema.json", "--profile", "contractlint"],
    ],
)
def test_messages_and_schemas_are_told_the_same_way(project, run, schema, arguments):
    lines = [MESSAGE, {**MESSAGE, "kind": "lamp.out"}, {**MESSAGE, "id": "m-2", "attempt": 0}, {}]
    project.write("a.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    project.write("s.schema.json", '{"type": "object"}')
    document = run(*arguments, "--output-format", "json").document
    jsonschema.validate(document, schema)
    assert document["findings"]


def test_fingerprints_of_messages_survive_lines_above(project, run):
    def fingerprints(*lines):
        project.write("a.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        document = run("messages", "a.jsonl", "--output-format", "json").document
        return [one["fingerprint"] for one in document["findings"]]

    faulty = [{**MESSAGE, "id": "m-2"}, {**MESSAGE, "id": "m-2", "kind": "other"}, {}, {}]
    before = fingerprints(*faulty)
    assert len(set(before)) == len(before) > 4
    assert fingerprints(MESSAGE, *faulty) == before

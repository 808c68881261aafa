"""SARIF: models made from the official schema read it, and the crash scenario is the code flow."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest

from contractlint.findings import Reported, Summary
from contractlint.report.formats import open_writer
from contractlint.report.writer import Background, View
from contractlint.rules.catalog import bundled_rules

from .conftest import IN_A_MESSAGE, PROBLEM, finding

sarif = pytest.importorskip("pydantic_sarif.model")
Document = sarif.StaticAnalysisResultsFormatSarifVersion210JsonSchema


@pytest.fixture
def run_of(written):
    """Return the one run of a document that keeps to the schema."""

    def run_of(*findings, problems=()):
        document = json.loads(written("sarif", *findings, problems=problems))
        Document.model_validate(document)
        (run,) = document["runs"]
        return run

    return run_of


def test_the_schema_is_asked(written):
    document = json.loads(written("sarif", finding()))
    document["runs"][0]["results"][0]["unknown"] = 1
    with pytest.raises(ValueError, match="unknown"):
        Document.model_validate(document)


def test_a_result(run_of):
    (result,) = run_of(finding())["results"]
    assert (result["ruleId"], result["level"]) == ("CL101", "error")
    assert result["message"]["text"] == "acknowledged <too> early\nAcknowledge last."
    assert result["partialFingerprints"] == {"contractlint/v1": "a" * 32}
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "app/b%20c.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 9, "startColumn": 5, "endLine": 9, "endColumn": 20},
    }
    assert location["logicalLocations"][0]["name"] == "on_order"


def test_the_crash_scenario_is_the_code_flow(run_of):
    (result,) = run_of(finding())["results"]
    (flow,) = result["codeFlows"]
    (thread,) = flow["threadFlows"]
    steps = [
        (
            one["location"]["physicalLocation"]["artifactLocation"]["uri"],
            one["location"]["physicalLocation"]["region"]["startLine"],
            one["location"]["message"]["text"],
            one["kinds"],
        )
        for one in thread["locations"]
    ]
    # The crash has no place of its own: it happens after the step before it.
    assert steps == [
        ("app/a.py", 3, "the broker delivers a message", ["receive"]),
        ("app/b%20c.py", 9, "it is acknowledged", ["ack"]),
        ("app/b%20c.py", 9, "✗ the process dies here", ["crash"]),
    ]


def test_what_a_finding_clashes_with_is_related(run_of):
    (result,) = run_of(finding(**IN_A_MESSAGE))["results"]
    assert "codeFlows" not in result
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["region"] == {"startLine": 2}


def test_rules_are_explained_once(run_of):
    run = run_of(finding(), finding(line=10), finding(**IN_A_MESSAGE))
    first, second = run["tool"]["driver"]["rules"]
    rule = next(rule for rule in bundled_rules() if rule.code == "CL101")
    assert (first["id"], first["name"]) == ("CL101", "ack-before-persist")
    assert first["defaultConfiguration"] == {"level": rule.severity}
    assert rule.fix.strip() in first["help"]["text"]
    assert first["help"]["markdown"].startswith("# CL101 ")
    assert (second["id"], second["name"]) == ("CM101", "id-reused-with-different-content")


def test_levels(run_of):
    found = [finding(severity=severity) for severity in ("error", "warning", "info")]
    assert [one["level"] for one in run_of(*found)["results"]] == ["error", "warning", "note"]


def test_what_could_not_be_done(run_of):
    (invocation,) = run_of(problems=[PROBLEM])["invocations"]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "holds a NUL byte"
    assert run_of()["invocations"][0]["executionSuccessful"] is True


def test_an_absolute_path_is_a_file(run_of):
    (result,) = run_of(finding(path="/srv/ü.py"))["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///srv/%C3%BC.py"}


@pytest.mark.usefixtures("line_engine")
def test_fingerprints_are_those_of_the_json_report(project, run):
    project.write("a.py", "receive\nlose\n")
    ran = run("check", "--output-format", "sarif")
    Document.model_validate(ran.document)
    (result,) = ran.document["runs"][0]["results"]
    document = run("check", "--output-format", "json").document
    fingerprint = document["findings"][0]["fingerprint"]
    assert result["partialFingerprints"] == {"contractlint/v1": fingerprint}


@pytest.mark.parametrize(
    "arguments",
    [["messages", "a.jsonl"], ["schemas", "s.schema.json", "--profile", "contractlint"]],
)
def test_all_commands_write_it(project, run, arguments):
    project.write("a.jsonl", "{}\n[]\n")
    project.write("s.schema.json", '{"type": "object"}')
    document = run(*arguments, "--output-format", "sarif").document
    Document.model_validate(document)
    (only,) = document["runs"]
    found = {one["ruleId"] for one in only["results"]}
    assert found
    assert {one["id"] for one in only["tool"]["driver"]["rules"]} == found


def test_a_rule_of_the_project_is_explained_too():
    rule = replace(bundled_rules()[0], code="SHOP001", name="no-late-lamp", why="Lamps must not.")
    out = StringIO()
    writer = open_writer("sarif", out, View(), Background(rules=(rule,)))
    writer.add(Reported(finding(code="SHOP001", rule="no-late-lamp"), "a" * 32))
    writer.close(Summary({"file": 1}, 1, 0))
    document = json.loads(out.getvalue())
    Document.model_validate(document)
    (described,) = document["runs"][0]["tool"]["driver"]["rules"]
    assert (described["id"], described["name"]) == ("SHOP001", "no-late-lamp")
    assert described["fullDescription"] == {"text": "Lamps must not."}

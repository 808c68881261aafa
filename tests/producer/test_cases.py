"""Every case of tests/cases/schemas: a schema, perhaps its earlier version, and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from contractlint.cli.schemas import command

CASES = Path(__file__).parents[1] / "cases" / "schemas"
ROLES = """
[messages.roles]
id = "/message_id"
schema-version = "/version"
time = "/sent_at"
sequence-key = "/order"
sequence = "/number"
"""


def findings(folder: Path, arguments: list[str]) -> list[dict[str, Any]]:
    result = CliRunner().invoke(command, [*arguments, "--output-format", "json"])
    assert result.exit_code in (0, 1), result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    assert result.exit_code == bool(found)
    return found


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "contractlint.toml").write_text(ROLES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", sorted(CASES.glob("*-*.json")), ids=lambda path: path.stem)
def test_case(path: Path, project: Path) -> None:
    case = json.loads(path.read_text())
    (project / "schema.json").write_text(json.dumps(case["new"]))
    arguments = ["schema.json", *case["options"]]
    if case["old"] is not None:
        (project / "earlier.json").write_text(json.dumps(case["old"]))
        arguments += ["--against", "earlier.json"]
    found = {(one["rule"], one["pointer"]) for one in findings(project, arguments)}
    assert found == {(one["rule"], one["pointer"]) for one in case["expect"]}


CHANGES = json.loads((CASES / "changes.json").read_text())
OPEN_MODEL = {"optional field added, open model", "optional field removed, open model"}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["change"])
@pytest.mark.parametrize("level", ["forward", "backward"])
def test_who_breaks(change: dict[str, Any], level: str, project: Path) -> None:
    (project / "contractlint.toml").write_text(
        '[messages.roles]\nschema-version = "/schema_version"\n'
    )
    (project / "old.json").write_text(json.dumps(change["before"]))
    (project / "new.json").write_text(json.dumps(change["after"]))
    found = findings(project, ["new.json", "--against", "old.json", "--level", level])
    assert bool(found) is (level in change["breaks"])


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["change"])
def test_a_strict_reader_minds_the_open_model_as_well(
    change: dict[str, Any], project: Path
) -> None:
    (project / "old.json").write_text(json.dumps(change["before"]))
    (project / "new.json").write_text(json.dumps(change["after"]))
    found = findings(project, ["new.json", "--against", "old.json", "--strict"])
    assert bool(found) is (bool(change["breaks"]) or change["change"] in OPEN_MODEL)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["change"])
def test_one_finding_at_the_changed_place(change: dict[str, Any], project: Path) -> None:
    (project / "contractlint.toml").write_text(
        '[messages.roles]\nschema-version = "/schema_version"\n'
    )
    (project / "old.json").write_text(json.dumps(change["before"]))
    (project / "new.json").write_text(json.dumps(change["after"]))
    found = findings(project, ["new.json", "--against", "old.json"])
    assert [one["pointer"] for one in found] == change["pointers"]
    for one in found:
        assert ("old consumers" in one["message"]) is ("forward" in change["breaks"])
        assert ("new consumers" in one["message"]) is ("backward" in change["breaks"])
        assert "still 1" in one["message"]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["change"])
def test_a_new_version_settles_every_change(change: dict[str, Any], project: Path) -> None:
    (project / "contractlint.toml").write_text(
        '[messages.roles]\nschema-version = "/schema_version"\n'
    )
    (project / "old.json").write_text(json.dumps(change["before"]))
    new = json.dumps(change["after"]).replace('{"const": 1}', '{"const": 2}')
    (project / "new.json").write_text(new)
    assert findings(project, ["new.json", "--against", "old.json"]) == []

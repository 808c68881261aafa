"""The message cases: each file gives exactly the findings that the index lists."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = Path(__file__).parents[1] / "cases" / "messages"
INDEX: list[dict[str, Any]] = tomllib.loads((CASES / "index.toml").read_text("utf-8"))["case"]

BAD = [(case, name, found) for case in INDEX for name, found in case["bad"].items()]
GOOD = [(case, name) for case in INDEX for name in case["good"]]


def _arguments(case: dict[str, Any], name: str) -> list[str]:
    return ["messages", f"{case['folder']}/{name}", *case.get("arguments", [])]


@pytest.mark.parametrize(
    ("case", "name", "found"), BAD, ids=[f"{case['folder']}/{name}" for case, name, _ in BAD]
)
def test_a_bad_file_gives_its_findings(case, name, found, run, monkeypatch) -> None:
    monkeypatch.chdir(CASES)
    ran = run(*_arguments(case, name), "--output-format", "json")
    findings = ran.document["findings"]
    assert [[one["rule"], one["line"], one["pointer"]] for one in findings] == found
    assert ran.exit_code == 1
    assert ran.document["errors"] == []


@pytest.mark.parametrize(
    ("case", "name"), GOOD, ids=[f"{case['folder']}/{name}" for case, name in GOOD]
)
def test_a_good_file_is_silent(case, name, run, monkeypatch) -> None:
    monkeypatch.chdir(CASES)
    ran = run(*_arguments(case, name))
    assert (ran.exit_code, ran.out, ran.err) == (0, "", "")


def test_the_index_names_every_file() -> None:
    named = {f"{case['folder']}/{name}" for case in INDEX for name in [*case["bad"], *case["good"]]}
    named |= {"against-schema/schema.json", "index.toml", "contractlint.toml"}
    files = {path.relative_to(CASES).as_posix() for path in CASES.rglob("*") if path.is_file()}
    assert files == named


def test_every_check_on_one_message_has_a_case() -> None:
    from contractlint.messages.checks import CHECKS

    covered = {found[0] for _, _, findings in BAD for found in findings}
    of_streams = {"unsupported-schema", "version-conflict", "stale-message"}
    assert {name for name in CHECKS if not name.startswith("compensation")} == covered | of_streams


def test_findings_are_stable_from_run_to_run(run, monkeypatch) -> None:
    monkeypatch.chdir(CASES)
    first, second = (run("messages", ".", "--output-format", "json") for _ in range(2))
    assert first.out == second.out
    assert json.loads(first.out)["summary"]["findings"] > 10

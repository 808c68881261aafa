"""The examples show each fault once, and the mended ones show none."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
WORKERS = sorted(path.name for path in (EXAMPLES / "broken").glob("*.py"))


@pytest.fixture(autouse=True)
def at_the_top(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def findings() -> dict[str, list[dict]]:
    """Return path → findings of one run over all examples."""
    command = [sys.executable, "-m", "contractlint", "check", "--no-cache", "examples"]
    ran = subprocess.run(
        [*command, "--output-format", "json"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    document = json.loads(ran.stdout)
    assert document["errors"] == []
    found: dict[str, list[dict]] = defaultdict(list)
    for one in document["findings"]:
        found[one["path"]].append(one)
    return found


def table() -> dict[str, set[str]]:
    """Return worker → codes, as the table in the README of the examples says."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+\.py)` \|[^|]+\|([^|]+)\|", text, re.MULTILINE)
    return {name: set(re.findall(r"CL\d+", faults)) for name, faults in rows}


def test_every_worker_is_in_the_table():
    assert sorted(table()) == WORKERS


@pytest.mark.parametrize("worker", WORKERS)
def test_a_broken_worker_has_the_faults_of_the_table_once_each(findings, worker):
    codes = [one["code"] for one in findings[f"examples/broken/{worker}"]]
    assert sorted(codes) == sorted(table()[worker])


@pytest.mark.parametrize("worker", WORKERS)
def test_a_mended_worker_has_none(findings, worker):
    assert findings[f"examples/mended/{worker}"] == []


def test_all_faults_occur(findings):
    codes = {one["code"] for found in findings.values() for one in found}
    assert {"CL101", "CL102", "CL104", "CL201", "CL301", "CL401"} <= codes


def test_the_ledger_is_why_the_mended_worker_is_silent(check):
    """Without the look at the ledger the same worker is reported."""
    source = (EXAMPLES / "mended" / "reminders.py").read_text(encoding="utf-8")
    careless = source.replace("if not ledger.begin(key):", "if not key:")
    assert careless != source
    ran = check(
        "--no-cache",
        "--stdin-filename",
        "examples/mended/careless.py",
        "-",
        stdin=careless.encode(),
    )
    assert [one["code"] for one in ran.document["findings"]] == ["CL401"]


@pytest.mark.parametrize("worker", WORKERS)
def test_proofs_tell_nothing_untrue(findings, worker):
    """Nothing comes back after it was acknowledged, and no step leads to itself."""
    for one in findings[f"examples/broken/{worker}"]:
        steps = [(step["event"], step["text"]) for step in one["scenario"]]
        crash = next((at for at, (event, _) in enumerate(steps) if event == "crash"), len(steps))
        acknowledged = any(event == "ack" for event, _ in steps[:crash])
        assert not (acknowledged and any("not acknowledged" in text for _, text in steps))
        quoted = re.findall(r"`[^`]+`", one["message"])
        assert len(quoted) == len(set(quoted))


def test_every_worker_is_compiled():
    for path in EXAMPLES.rglob("*.py"):
        compile(path.read_text(encoding="utf-8"), str(path), "exec")


def test_the_sound_stream_is_silent(run):
    ran = run("messages", "--stream", "examples/messages/orders.jsonl")
    assert ran.exit_code == 0
    assert "1  duplicate-suppressed" in ran.out


def test_the_envelope_is_sound(run):
    assert run("messages", "examples/messages/envelope.json").exit_code == 0


def test_the_faulty_stream_shows_each_outcome_that_stops(run):
    ran = run("messages", "--stream", "examples/messages/faulty-orders.jsonl")
    assert ran.exit_code == 1
    for outcome in ("missing-identity", "sequence-gap", "stale-or-conflicting"):
        assert outcome in ran.out


def test_one_schema_keeps_the_contract_and_one_does_not(run):
    sound, faulty = (
        run("schemas", "--profile", "contractlint", f"examples/schemas/{name}.schema.json")
        for name in ("order-created", "reminder")
    )
    assert sound.exit_code == 0
    assert faulty.exit_code == 1

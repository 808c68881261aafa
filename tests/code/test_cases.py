"""Whole handlers: in tests/cases, a line to be found ends with `# <- CODE`, all others are right.

A pair has a fault (bad.py) and its mending (good.py), often also something that only looks like the
fault (near.py).
"""

import re
from pathlib import Path

import pytest

from contractlint.engine import EngineSettings, check_source
from contractlint.prefilter import library_files
from contractlint.vocabulary.reading import read_library

CASES = Path(__file__).parent.parent / "cases"
PAIRS = sorted(path.parent for path in (CASES / "handlers").glob("*/*/bad.py"))
QUIET = sorted((CASES / "quiet").glob("*.py"))
RULES = {
    "ack-before-persist": "CL101",
    "auto-ack-before-work": "CL102",
    "early-ack-by-default": "CL103",
    "swallowed-failure": "CL104",
    "unstable-result-name": "CL201",
    "delivery-identity-as-key": "CL202",
    "unconditional-requeue": "CL301",
    "unbounded-retry": "CL302",
    "permanent-error-retried": "CL303",
    "effect-without-ledger-check": "CL401",
    "timeout-as-failure": "CL402",
    "ledger-outside-transaction": "CL403",
    "claim-not-released": "CL404",
    "volatile-ledger": "CL405",
    "commit-then-publish": "CL501",
    "unchecked-guarded-update": "CL502",
    "relative-update-without-ledger": "CL503",
}
SETTINGS = EngineSettings(frozenset(RULES.values()), {}, (), (), {}, ())
MARK = re.compile(r"# <- (CL\d+(?:, CL\d+)*)$")


def expected(path: Path) -> list[tuple[int, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = ((number, MARK.search(line)) for number, line in enumerate(lines, 1))
    return [(number, code) for number, mark in rows if mark for code in mark[1].split(", ")]


def found(path: Path) -> list[tuple[int, str]]:
    result = check_source(str(path), path.read_bytes(), SETTINGS, str(path.parent))
    assert not result.problems
    assert result.handlers, "no handler was found"
    return [(finding.line, finding.code) for finding in result.findings]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("pair", PAIRS, ids=_name)
def test_the_fault_is_found_where_it_is(pair):
    path = pair / "bad.py"
    assert RULES[pair.parent.name] in {code for _, code in expected(path)}
    assert found(path) == expected(path)


@pytest.mark.parametrize(
    "path",
    [path for pair in PAIRS for path in sorted(pair.glob("*.py")) if path.name != "bad.py"],
    ids=lambda path: f"{_name(path.parent)}/{path.name}",
)
def test_the_mended_and_the_like_are_silent(path):
    assert expected(path) == []
    assert found(path) == []


@pytest.mark.parametrize("path", QUIET, ids=lambda path: path.name)
def test_false_alarms(path):
    assert found(path) == []


def test_every_rule_has_pairs():
    assert {pair.parent.name for pair in PAIRS} == set(RULES)
    assert all((pair / "good.py").exists() for pair in PAIRS)


def test_every_library_that_delivers_messages_is_used_in_a_case():
    text = "\n".join(path.read_text(encoding="utf-8") for path in CASES.rglob("*.py"))
    libraries = [read_library(file) for file in library_files()]
    missing = [one.name for one in libraries if one.words and not any(w in text for w in one.words)]
    assert missing == []


@pytest.mark.parametrize("pair", PAIRS, ids=_name)
def test_every_finding_brings_its_proof(pair):
    path = pair / "bad.py"
    result = check_source(str(path), path.read_bytes(), SETTINGS, str(path.parent))
    for finding in result.findings:
        lines = {step.line for step in finding.scenario}
        events = [step.event for step in finding.scenario]
        assert finding.line in lines, "the reported line is a step of the scenario"
        assert events[0] == "receive"
        assert events[-1] == "outcome"
        if "crash" in events:
            dead = events.index("crash")
            reached = [not step.text.startswith("never reached") for step in finding.scenario]
            assert all(reached[:dead])
            told = [flag for flag, event in zip(reached, events, strict=True) if event != "outcome"]
            assert not any(told[dead + 1 :])
        assert "{marked}" not in finding.message
        assert "{last}" not in finding.message
        assert finding.fix
        assert finding.confidence in ("high", "medium", "low")


def test_a_second_look_finds_the_same():
    path = PAIRS[0] / "bad.py"
    first, second = (
        check_source(str(path), path.read_bytes(), SETTINGS, str(path.parent)) for _ in range(2)
    )
    assert first == second

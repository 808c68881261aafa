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
    "reject-before-quarantine": "CL105",
    "reject-without-dead-letter": "CL106",
    "settlement-count": "CL107",
    "retry-signal-swallowed": "CL108",
    "batch-outcome-unreported": "CL109",
    "cumulative-ack-in-parallel": "CL110",
    "lease-shorter-than-work": "CL111",
    "pending-never-reclaimed": "CL112",
    "settle-off-thread": "CL113",
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
    "stale-write": "CL504",
}
# What these miss stands around a handler, and the cases of other rules leave it out.
OF_SURROUNDINGS = frozenset({"CL106", "CL109", "CL112"})


def settings(*more: str) -> EngineSettings:
    """Return the settings of a run with the rules that judge handlers alone, and those named."""
    codes = frozenset(RULES.values()) - OF_SURROUNDINGS | set(more)
    return EngineSettings(codes, {}, (), (), {}, ())


SETTINGS = settings()
MARK = re.compile(r"# <- (CL\d+(?:, CL\d+)*)$")


def expected(path: Path) -> list[tuple[int, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = ((number, MARK.search(line)) for number, line in enumerate(lines, 1))
    return [(number, code) for number, mark in rows if mark for code in mark[1].split(", ")]


def found(path: Path, home: Path, *more: str) -> list[tuple[int, str]]:
    """Check a file that is a project of its own; its folder's other files are none of it."""
    copy = home / path.name
    copy.write_bytes(path.read_bytes())
    result = check_source(str(copy), copy.read_bytes(), settings(*more), str(home))
    assert not result.problems
    assert result.handlers, "no handler was found"
    return [(finding.line, finding.code) for finding in result.findings]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("pair", PAIRS, ids=_name)
def test_the_fault_is_found_where_it_is(pair, tmp_path):
    path = pair / "bad.py"
    assert RULES[pair.parent.name] in {code for _, code in expected(path)}
    assert found(path, tmp_path, RULES[pair.parent.name]) == expected(path)


@pytest.mark.parametrize(
    "path",
    [path for pair in PAIRS for path in sorted(pair.glob("*.py")) if path.name != "bad.py"],
    ids=lambda path: f"{_name(path.parent)}/{path.name}",
)
def test_the_mended_and_the_like_are_silent(path, tmp_path):
    assert expected(path) == []
    assert found(path, tmp_path, RULES[path.parent.parent.name]) == []


@pytest.mark.parametrize("path", QUIET, ids=lambda path: path.name)
def test_false_alarms(path, tmp_path):
    assert found(path, tmp_path) == []


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
    result = check_source(str(path), path.read_bytes(), settings(*RULES.values()), str(path.parent))
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
        check_source(str(path), path.read_bytes(), settings(*RULES.values()), str(path.parent))
        for _ in range(2)
    )
    assert first == second
